/** A screen's heading, which takes the focus when the person comes from another screen, and names the tab. */
import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { isLed } from "./router";
import styles from "./screen.module.css";

export function useArrival(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === "MindHit" ? title : `${title} – MindHit`;
  }, [title]);
  useEffect(() => {
    if (isLed()) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** One thing to do, in the middle of the page. */
export function NarrowScreen({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  const heading = useArrival(title);
  return (
    <div className={styles["narrow"]}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lead && <p className={styles["lead"]}>{lead}</p>}
      {children}
    </div>
  );
}
