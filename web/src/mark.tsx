/** The mark: visits along a line, the last of them a hit. Decorative: the name stands beside it. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect className="mark-ground" width="32" height="32" rx="8" />
      <path className="mark-line" d="M7 22.5 13.5 12l5.5 8L25 9.5" />
      <circle className="mark-visit" cx="7" cy="22.5" r="2.5" />
      <circle className="mark-visit" cx="13.5" cy="12" r="2.5" />
      <circle className="mark-visit" cx="19" cy="20" r="2.5" />
      <circle className="mark-hit" cx="25" cy="9.5" r="3.5" />
    </svg>
  );
}
