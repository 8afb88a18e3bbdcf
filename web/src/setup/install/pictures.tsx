/** Small drawings of what a browser shows at each step. The words beside them say the same, so they are decoration. */
import type { ReactNode } from "react";
import styles from "./install.module.css";

const WIDTH = 240;
const HEIGHT = 132;

/** A window with its address bar. */
function Window({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  return (
    <svg className={styles["picture"]} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect className={styles["paper"]} x="0.5" y="0.5" width={WIDTH - 1} height={HEIGHT - 1} rx="8" />
      <path className={styles["edge"]} d={`M0.5 28.5H${WIDTH - 0.5}`} />
      {[12, 22, 32].map((x) => (
        <circle key={x} className={styles["quiet"]} cx={x} cy="14.5" r="3" />
      ))}
      <rect className={styles["field"]} x="44" y="7" width={WIDTH - 56} height="15" rx="7.5" />
      <text className={styles["words"]} x="53" y="17.8">
        {address}
      </text>
      {children}
    </svg>
  );
}

/** Grey bars instead of words that don't matter. */
function Bar({ x, y, width }: { readonly x: number; readonly y: number; readonly width: number }) {
  return <rect className={styles["quiet"]} x={x} y={y} width={width} height="6" rx="3" />;
}

export function DeveloperModePicture({
  page,
  isAtLeft,
}: {
  readonly page: string;
  readonly isAtLeft: boolean;
}) {
  const x = isAtLeft ? 16 : 196;
  const y = isAtLeft ? 104 : 42;
  return (
    <Window address={page}>
      <Bar x={16} y={45} width={54} />
      {[84, 158].map((left) => (
        <rect key={left} className={styles["field"]} x={left} y="66" width="66" height="52" rx="5" />
      ))}
      {!isAtLeft && <Bar x={148} y={45} width={40} />}
      {isAtLeft && <Bar x={16} y={90} width={46} />}
      <rect className={styles["strong"]} x={x} y={y} width="24" height="12" rx="6" />
      <circle className={styles["paper"]} cx={x + 18} cy={y + 6} r="4.5" />
      <rect className={styles["ring"]} x={x - 6} y={y - 6} width="36" height="24" rx="12" />
    </Window>
  );
}

export function LoadPicture({ page, label }: { readonly page: string; readonly label: string }) {
  const width = label.length > 15 ? 152 : 112;
  return (
    <Window address={page}>
      <rect className={styles["strong"]} x="16" y="42" width={width} height="20" rx="10" />
      <text className={styles["on-strong"]} x={16 + width / 2} y="55" textAnchor="middle">
        {label}
      </text>
      <rect className={styles["ring"]} x="11" y="37" width={width + 10} height="30" rx="15" />
      <rect className={styles["field"]} x="188" y="42" width="36" height="20" rx="10" />
      {[16, 88, 160].map((left) => (
        <rect key={left} className={styles["field"]} x={left} y="78" width="64" height="40" rx="5" />
      ))}
    </Window>
  );
}

/** A file dialog with the path in it. */
export function PathPicture({ path }: { readonly path: string }) {
  const shown = path.length > 34 ? `…${path.slice(-33)}` : path;
  return (
    <svg className={styles["picture"]} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect className={styles["paper"]} x="0.5" y="0.5" width={WIDTH - 1} height={HEIGHT - 1} rx="8" />
      <Bar x={16} y={14} width={62} />
      <rect className={styles["ring"]} x="13" y="31" width={WIDTH - 26} height="24" rx="6" />
      <rect className={styles["field"]} x="16" y="34" width={WIDTH - 32} height="18" rx="4" />
      <text className={styles["words"]} x="23" y="46.2">
        {shown}
      </text>
      {[20, 68, 116].map((x) => (
        <path key={x} className={styles["quiet"]} d={`M${x} 70h10l3 4h17v18h-30z`} />
      ))}
      <rect className={styles["strong"]} x="168" y="104" width="56" height="16" rx="8" />
    </svg>
  );
}

/** A zip file, and the folder it becomes; or just the file, as Firefox takes it. */
export function ZipPicture({ isKept = false }: { readonly isKept?: boolean }) {
  return (
    <svg className={styles["picture"]} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect className={styles["paper"]} x="0.5" y="0.5" width={WIDTH - 1} height={HEIGHT - 1} rx="8" />
      <g transform={isKept ? "translate(58)" : undefined}>
        <path className={isKept ? styles["strong"] : styles["field"]} d="M38 34h34l14 14v50h-48z" />
        <path className={styles["edge"]} d="M72 34v14h14M56 40h6M50 48h6M56 56h6M50 64h6M56 72h6" />
      </g>
      {!isKept && (
        <>
          <path className={styles["arrow"]} d="M104 66h30m-10-10l10 10-10 10" />
          <path className={styles["strong"]} d="M152 42h20l6 8h30v46h-56z" />
        </>
      )}
    </svg>
  );
}
