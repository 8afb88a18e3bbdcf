import type { ButtonHTMLAttributes, Ref } from "react";
import { classes } from "./classes";
import buttons from "./button.module.css";

type Look = "main" | "plain" | "danger" | "quiet";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  /** Its action is running; clicks do nothing until it is done. */
  readonly isBusy?: boolean;
  /** There is nothing to do at present. */
  readonly isDisabled?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Stays focusable while it is busy or disabled, so that the keyboard focus isn't lost. */
export function Button(props: ButtonProps) {
  const { look = "plain", isBusy = false, isDisabled = false, type = "button", onClick, ...rest } = props;
  const isInert = isBusy || isDisabled;
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(look)}
      aria-disabled={isInert || undefined}
      aria-busy={isBusy || undefined}
      onClick={isInert ? ignore : onClick}
    />
  );
}

/** For links that look like buttons. */
export function buttonClass(look: Look, width?: "wide"): string {
  return classes(buttons["button"], buttons[look], width && buttons[width]);
}

function ignore(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
