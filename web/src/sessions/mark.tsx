/**
 * What stands for a site: its icon where the page brought it along, else the first letter of its name on its colour.
 * The icon comes from our own server. Nothing is fetched from the site: it would learn who looks back at it, and when.
 */
import { type CSSProperties, useState } from "react";
import { hueOf, letterOf, liftOf } from "./hues";

const ICONS = "/v1/icons/";
const SIDE = 22;

interface Props {
  readonly domain: string;
  readonly hue?: number | undefined;
  readonly favicon?: string | null;
}

export function SiteMark({ domain, hue, favicon }: Props) {
  const [failed, setFailed] = useState<string>();
  if (favicon?.startsWith(ICONS) && favicon !== failed)
    return (
      <span className="site-mark site-icon">
        <img
          src={favicon}
          alt=""
          width={SIDE}
          height={SIDE}
          loading="lazy"
          onError={() => {
            setFailed(favicon);
          }}
        />
      </span>
    );
  return (
    <span className="site-mark tinted" style={tint(hue ?? hueOf(domain))} aria-hidden="true">
      {letterOf(domain)}
    </span>
  );
}

/** Sets the hue that `.tinted` and its like are coloured by. */
export function tint(hue: number): CSSProperties {
  return { "--hue": hue, "--lift": `${liftOf(hue)}%` } as CSSProperties;
}
