/**
 * What stands for a site: its own picture where the page brought it along, else the first letter of its name on its
 * colour. Nothing is fetched from the site: it would learn who looks back at it, and when.
 */
import type { CSSProperties } from "react";
import { hueOf, letterOf, liftOf } from "./hues";

interface Props {
  readonly domain: string;
  readonly hue?: number | undefined;
  readonly favicon?: string | null;
}

export function SiteMark({ domain, hue, favicon }: Props) {
  if (favicon?.startsWith("data:image/")) return <img className="site-mark" src={favicon} alt="" />;
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
