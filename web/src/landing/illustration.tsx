/** A picture of the product's idea: visits as bars on a line of time, some of them gathering into a topic above. Decorative. */
import styles from "./illustration.module.css";

const VISITS: readonly (readonly [start: number, length: number, topic: 0 | 1 | 2])[] = [
  [0, 54, 1],
  [60, 22, 0],
  [88, 70, 1],
  [164, 34, 2],
  [204, 16, 0],
  [226, 92, 2],
  [324, 28, 1],
  [358, 48, 2],
  [412, 14, 0],
  [432, 64, 1],
  [502, 38, 2],
  [546, 24, 0],
  [576, 80, 2],
  [662, 44, 1],
  [712, 48, 2],
];

const TOPICS = { 1: 216, 2: 500 } as const;

export function Illustration() {
  return (
    <svg className={styles["illustration"]} viewBox="0 0 760 132" aria-hidden="true">
      {VISITS.map(([start, length, topic]) => {
        if (topic === 0) return null;
        const from = start + length / 2;
        const to = TOPICS[topic];
        return (
          <path
            key={start}
            className={styles["thread"]}
            data-topic={topic}
            d={`M${from} 100C${from} 60 ${to} 74 ${to} 28`}
          />
        );
      })}
      {Object.entries(TOPICS).map(([topic, x]) => (
        <circle key={topic} className={styles["topic"]} data-topic={topic} cx={x} cy="22" r="9" />
      ))}
      {VISITS.map(([start, length, topic]) => (
        <rect
          key={start}
          className={styles["visit"]}
          data-topic={topic}
          x={start}
          y="100"
          width={length}
          height="14"
          rx="4"
        />
      ))}
    </svg>
  );
}
