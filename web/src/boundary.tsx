/** Catches what a screen throws: mostly its script, which is gone after the server was upgraded under an open page. */
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./ui/button";
import { Notice } from "./ui/notice";

interface Props {
  readonly children: ReactNode;
}

export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
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
      <p>{t("failure.screen")}</p>
      <Button
        onClick={() => {
          location.reload();
        }}
      >
        {t("failure.reload")}
      </Button>
    </Notice>
  );
}
