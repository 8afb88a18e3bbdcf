/** Light, dark or system theme; kept in this browser. */
import { useTranslation } from "../../i18n/translation";
import { chooseTheme, THEMES, useTheme } from "../theme";
import { Icon } from "../../ui/icons";
import styles from "../../ui/switch.module.css";

export function ThemeSwitch() {
  const { t } = useTranslation();
  const chosen = useTheme();
  return (
    <div className={styles["switch"]} role="group" aria-label={t("app.theme.label")}>
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          className={styles["switch-icon"]}
          aria-label={t(`app.theme.${theme}`)}
          title={t(`app.theme.${theme}`)}
          aria-pressed={chosen === theme}
          onClick={() => {
            chooseTheme(theme);
          }}
        >
          <Icon name={theme} />
        </button>
      ))}
    </div>
  );
}
