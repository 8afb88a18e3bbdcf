/**
 * A site's icon where the page brought one along, else the first letter of its name on its colour.
 * The icon comes from our own server: fetched from the site, it would tell the site who looks back at it, and when.
 */
import { useState } from "react";
import { classes } from "./classes";
import { hueOf, letterOf, tinted } from "./domain-colors";
import styles from "./site-icon.module.css";
import { size } from "./styles/tokens";

const ICONS = "/v1/icons/";
const IMAGE_PX = size("site-icon-image-size");

interface Props {
  readonly domain: string;
  readonly hue?: number | undefined;
  readonly favicon?: string | null;
}

export function SiteIcon({ domain, hue, favicon }: Props) {
  const [failed, setFailed] = useState<string>();
  if (favicon?.startsWith(ICONS) && favicon !== failed)
    return (
      <span className={classes(styles["icon"], styles["plate"])}>
        <img
          src={favicon}
          alt=""
          width={IMAGE_PX}
          height={IMAGE_PX}
          loading="lazy"
          onError={() => {
            setFailed(favicon);
          }}
        />
      </span>
    );
  return (
    <span className={styles["icon"]} {...tinted(hue ?? hueOf(domain))} aria-hidden="true">
      {letterOf(domain)}
    </span>
  );
}
