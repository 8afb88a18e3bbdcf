import type { ButtonHTMLAttributes, Ref } from "react";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "main" | "plain" | "danger" | "quiet";
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Stays focusable while it is busy: a button that vanished from under the keyboard would lose the person's place. */
export function Button({ look = "plain", isBusy = false, type = "button", onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${look}`}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? swallow : onClick}
    />
  );
}

function swallow(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
