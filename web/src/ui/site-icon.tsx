/**
 * A site's icon where the page brought one along, else the first letter of its name on its colour.
 * The icon comes from our own server, as an address or within its answer: fetched from the site, it would tell the site who looks back at it, and when.
 */
import { useState } from "react";
import { classes } from "./classes";
import { letterOf, tinted } from "./domain-colors";
import { Icon, type IconName } from "./icons";
import styles from "./site-icon.module.css";
import { size } from "./styles/tokens";

const ICONS = "/v1/icons/";
const INLINE = "data:image/png;base64,";
const IMAGE_PX = size("site-icon-image-size");

interface Props {
  readonly domain: string;
  readonly favicon?: string | null;
  /** A small PNG within the answer of our own server. */
  readonly inline?: string | null;
}

export function SiteIcon({ domain, favicon, inline }: Props) {
  const [failed, setFailed] = useState<string>();
  const source = inline?.startsWith(INLINE) ? inline : favicon?.startsWith(ICONS) ? favicon : undefined;
  if (source !== undefined && source !== failed)
    return (
      <span className={classes(styles["icon"], styles["plate"])}>
        <img
          src={source}
          alt=""
          width={IMAGE_PX}
          height={IMAGE_PX}
          loading="lazy"
          onError={() => {
            setFailed(source);
          }}
        />
      </span>
    );
  return (
    <span className={styles["icon"]} {...tinted(domain)} aria-hidden="true">
      {letterOf(domain)}
    </span>
  );
}

/** In the place of a site's icon, for what is of no site. */
export function PlainIcon({ name }: { readonly name: IconName }) {
  return (
    <span className={classes(styles["icon"], styles["plain"])} aria-hidden="true">
      <Icon name={name} />
    </span>
  );
}
