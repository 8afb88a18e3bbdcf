/** Catches errors of a screen: mostly a script that no longer exists because the server was upgraded under an open page. */
import { Component, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";

interface Props {
  readonly children: ReactNode;
}

export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useTranslation();
  return (
    <Notice tone="bad">
      <p>{t("app.crash.text")}</p>
      <Button
        onClick={() => {
          location.reload();
        }}
      >
        {t("app.crash.reload")}
      </Button>
    </Notice>
  );
}
