/** The account menu: who is signed in, how the app looks and speaks, and the way out. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { changeSettings, signOut, type Me } from "../../account/api";
import { become, useUpdateMe } from "../../account/me";
import type { Language } from "../../i18n/languages";
import { Link, navigate } from "../router";
import { NAVIGATION } from "../routes";
import { forgetDrafts } from "../../session/title-draft";
import { LanguageSwitch } from "./language-switch";
import { ThemeSwitch } from "./theme-switch";
import { useAction } from "../../ui/hooks/use-action";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { FailureNotice } from "../../ui/notice";
import styles from "./account-menu.module.css";
import layout from "../../ui/styles/layout.module.css";
import { classes } from "../../ui/classes";

export function AccountMenu({ me }: { readonly me: Me }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: PointerEvent) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
    };
  }, [isOpen]);

  return (
    <div
      ref={place}
      className={styles["menu"]}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        setOpen(false);
        opener.current?.focus();
      }}
      onBlur={(event) => {
        // Tabbed out; a click on nothing focusable has no related target and is the pointer's business.
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={opener}
        type="button"
        className={styles["menu-opener"]}
        aria-label={t("app.menu.open", { email: me.email })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <span className={styles["avatar"]} aria-hidden="true">
          {Array.from(me.email)[0]?.toUpperCase()}
        </span>
        <Icon name="down" />
      </button>
      <div id={id} className={classes(styles["menu-panel"], layout["panel"])} hidden={!isOpen}>
        <p className={styles["menu-who"]}>
          {t("app.menu.signedInAs")}
          <strong>{me.email}</strong>
        </p>
        <MenuSwitches />
        {NAVIGATION.map(({ to, label, isOwners }, index) =>
          index > 0 && (me.role === "owner" || !isOwners) ? (
            <Link
              key={to}
              className={styles["menu-item"]}
              data-hidden={to === "/settings" ? undefined : hiddenFrom(index)}
              to={to}
              onClick={() => {
                setOpen(false);
              }}
            >
              {t(label)}
            </Link>
          ) : null,
        )}
        <SignOut />
      </div>
    </div>
  );
}

/** On screens of this width and less a way isn't in the header (shell.module.css), and so here. */
function hiddenFrom(index: number): "phone" | "narrow" | "compact" {
  return index < 2 ? "phone" : index < 4 ? "narrow" : "compact";
}

function MenuSwitches() {
  const { t } = useTranslation();
  const updateMe = useUpdateMe();
  const keep = useAction((language: Language) => changeSettings({ language }), {
    done: (settings) => {
      updateMe({ settings });
    },
  });
  return (
    <div className={styles["menu-switches"]}>
      <span aria-hidden="true">{t("app.language")}</span>
      <LanguageSwitch onChoose={keep.run} />
      <span aria-hidden="true">{t("app.theme.label")}</span>
      <ThemeSwitch />
      <FailureNotice failure={keep.failure} />
    </div>
  );
}

function SignOut() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const leave = useAction(signOut, {
    done: () => {
      forgetDrafts();
      become(queries, null);
      navigate("/sign-in", { flash: "signedOut" });
    },
  });
  return (
    <>
      <FailureNotice failure={leave.failure} />
      <Button
        look="quiet"
        isBusy={leave.isBusy}
        onClick={() => {
          leave.run();
        }}
      >
        {t("app.menu.signOut")}
      </Button>
    </>
  );
}
