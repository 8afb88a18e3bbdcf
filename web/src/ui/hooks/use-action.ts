/** Something a person sets off: runs once at a time, however often it is clicked. */
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "../../i18n/translation";
import { explain, type Failure } from "../../problems/explain";

export interface Action<I> {
  readonly run: (input: I) => void;
  readonly isBusy: boolean;
  readonly isDone: boolean;
  readonly failure: Failure | null;
  readonly forget: () => void;
}

export function useAction<I = void, O = unknown>(
  act: (input: I) => Promise<O>,
  { done, failed }: { done?: (output: O, input: I) => void; failed?: (failure: Failure) => void } = {},
): Action<I> {
  const { t } = useTranslation();
  // A ref and not the mutation's state, which a second click of the same moment would not see yet.
  const isRunning = useRef(false);
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: act,
    onSuccess: (output, input) => done?.(output, input),
    onError: (problem) => failed?.(explain(problem, t)),
    onSettled: () => {
      isRunning.current = false;
    },
  });
  return {
    run: (input) => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutate(input);
    },
    isBusy: isPending,
    isDone: isSuccess,
    failure: error === null ? null : explain(error, t),
    forget: reset,
  };
}
