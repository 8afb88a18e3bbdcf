/**
 * A form: reads its fields by name, checks them, sends them once, and says what was wrong beside the field it is about,
 * or below them all where it is about none.
 * Fields keep what was typed; nothing is cleared unless `done` does it.
 */
import { createContext, use, useId, useRef, useState, type ReactNode } from "react";
import { useAction } from "../hooks/use-action";
import { Button } from "../button";
import type { Failure } from "../../problems/explain";
import { FailureNotice } from "../notice";
import forms from "./form.module.css";
import layout from "../styles/layout.module.css";

export type Values = Readonly<Record<string, string>>;
export type Wrong = Readonly<Record<string, string | undefined>>;

interface FormProps<O> {
  readonly submit: string;
  readonly look?: "main" | "plain" | "danger";
  readonly label?: string;
  readonly check?: (values: Values) => Wrong;
  readonly send: (values: Values) => Promise<O>;
  readonly done?: (output: O, form: HTMLFormElement | null) => void;
  /** Said after it worked, until the next try. */
  readonly success?: string;
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

const WrongContext = createContext<Wrong>({});

/** What is wrong with the field of this name. */
export function useWrong(name: string): string | undefined {
  return use(WrongContext)[name];
}

export function Form<O>(props: FormProps<O>) {
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<Wrong>({});
  const [other, setOther] = useState<Failure | null>(null);
  const labelId = useId();

  /** What could be shown at a field. */
  const show = (found: Wrong): readonly string[] => {
    const known = Object.entries(found).filter(([name, text]) => text && fieldOf(form.current, name));
    setWrong(Object.fromEntries(known));
    fieldOf(form.current, known[0]?.[0])?.focus();
    return known.map(([name]) => name);
  };
  const action = useAction(props.send, {
    done: (output) => props.done?.(output, form.current),
    failed: (failure) => {
      const shown = show(failure.fields);
      const left = Object.entries(failure.fields).filter(([name]) => !shown.includes(name));
      setOther(
        shown.length > 0 && left.length === 0 ? null : { ...failure, fields: Object.fromEntries(left) },
      );
    },
  });

  return (
    <form
      ref={form}
      className={forms["form"]}
      noValidate
      aria-labelledby={props.label === undefined ? undefined : labelId}
      onSubmit={(event) => {
        event.preventDefault();
        if (action.isBusy) return;
        action.forget();
        setOther(null);
        const values = read(event.currentTarget);
        if (show(props.check?.(values) ?? {}).length === 0) action.run(values);
      }}
    >
      {props.label !== undefined && <h3 id={labelId}>{props.label}</h3>}
      <WrongContext value={wrong}>{props.children}</WrongContext>
      <FailureNotice failure={other} submits />
      <div className={layout["button-row"]}>
        <Button type="submit" look={props.look ?? "main"} isBusy={action.isBusy}>
          {props.submit}
        </Button>
        {props.beside}
        <p className={layout["success"]} role="status">
          {action.isDone ? props.success : null}
        </p>
      </div>
    </form>
  );
}

function read(form: HTMLFormElement): Values {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
  return values;
}

function fieldOf(form: HTMLFormElement | null, name: string | undefined): HTMLElement | null {
  const field = name === undefined ? null : form?.elements.namedItem(name);
  return field instanceof HTMLElement ? field : null;
}
