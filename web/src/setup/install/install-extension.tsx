/** How to load the extension into a browser: three steps, with pictures, for each browser it runs in. */
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { buttonClass } from "../../ui/button";
import { classes } from "../../ui/classes";
import { CopyField } from "../../ui/forms/copy-field";
import { Trouble, Waiting } from "../../ui/notice";
import layout from "../../ui/styles/layout.module.css";
import choice from "../../ui/switch.module.css";
import { extensionQuery } from "../api";
import { BROWSER_NAMES, BROWSERS, thisBrowser, type BrowserName } from "./browsers";
import styles from "./install.module.css";
import { DeveloperModePicture, LoadPicture, PathPicture, ZipPicture } from "./pictures";

export function InstallExtension() {
  const { t } = useTranslation();
  const [browser, setBrowser] = useState(thisBrowser);
  const { data, error, refetch } = useQuery(extensionQuery);
  if (!data) return error ? <Trouble error={error} retry={refetch} /> : <Waiting />;
  return (
    <>
      <div
        className={classes(choice["switch"], styles["browsers"])}
        role="group"
        aria-label={t("setup.install.browser")}
      >
        {BROWSER_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === browser}
            onClick={() => {
              setBrowser(name);
            }}
          >
            {BROWSERS[name].name}
          </button>
        ))}
      </div>
      {!data.downloads.includes(BROWSERS[browser].build) ? (
        <p>{t("setup.install.notBuilt")}</p>
      ) : browser === "firefox" ? (
        <FirefoxSteps />
      ) : (
        <ChromiumSteps key={browser} browser={browser} folder={data.folder ?? null} />
      )}
    </>
  );
}

interface ChromiumProps {
  readonly browser: Exclude<BrowserName, "firefox">;
  /** The unpacked extension, where server and browser are on one machine. */
  readonly folder: string | null;
}

function ChromiumSteps({ browser, folder }: ChromiumProps) {
  const { t } = useTranslation();
  const { page } = BROWSERS[browser];
  return (
    <>
      <ol className={styles["steps"]}>
        {folder === null ? (
          <Step picture={<ZipPicture />}>
            <p>{t("setup.install.unzip")}</p>
            <Download build="chrome" />
          </Step>
        ) : (
          <Step picture={<PathPicture path={folder} />}>
            <p>{t("setup.install.copyFolder")}</p>
            <CopyField label={t("setup.install.folder")} value={folder} />
          </Step>
        )}
        <Step picture={<DeveloperModePicture page={page} isAtLeft={browser === "edge"} />}>
          <p>{t("setup.install.developerMode")}</p>
          <CopyField label={t("setup.install.page")} value={page} />
        </Step>
        <Step picture={<LoadPicture page={page} label={t("setup.install.loadUnpacked")} />}>
          <p>{t(folder === null ? "setup.install.chooseFolder" : "setup.install.pasteFolder")}</p>
          {folder !== null && <p className={styles["hint"]}>{t("setup.install.pasteHint")}</p>}
        </Step>
      </ol>
      {folder !== null && (
        <p className={styles["hint"]}>
          {t("setup.install.elsewhere")}{" "}
          <a href="/extension/chrome.zip" download>
            {t("setup.install.downloadZip")}
          </a>
        </p>
      )}
    </>
  );
}

function FirefoxSteps() {
  const { t } = useTranslation();
  const { page } = BROWSERS.firefox;
  return (
    <>
      <ol className={styles["steps"]}>
        <Step picture={<ZipPicture isKept />}>
          <p>{t("setup.install.firefoxZip")}</p>
          <Download build="firefox" />
        </Step>
        <Step picture={<LoadPicture page="about:debugging" label={t("setup.install.loadTemporary")} />}>
          <p>{t("setup.install.firefoxPage")}</p>
          <CopyField label={t("setup.install.page")} value={page} />
        </Step>
        <Step picture={<PathPicture path="mindhit-firefox.zip" />}>
          <p>{t("setup.install.firefoxLoad")}</p>
        </Step>
      </ol>
      <p className={styles["hint"]}>{t("setup.install.firefoxForgets")}</p>
    </>
  );
}

function Step({ picture, children }: { readonly picture: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      <div className={styles["step"]}>
        <div className={layout["stack"]}>{children}</div>
        {picture}
      </div>
    </li>
  );
}

function Download({ build }: { readonly build: "chrome" | "firefox" }) {
  const { t } = useTranslation();
  return (
    <p>
      <a className={buttonClass("main")} href={`/extension/${build}.zip`} download>
        {t("setup.install.download")}
      </a>
    </p>
  );
}
