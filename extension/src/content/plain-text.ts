/** The text of an element, with line breaks between blocks: `textContent` would glue paragraphs together. */
const INLINE = new Set(
  "A ABBR ACRONYM B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME TT U VAR WBR".split(
    " ",
  ),
);
const WITHOUT_TEXT = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT TEXTAREA SELECT INPUT BUTTON".split(" "),
);
const ELEMENT = 1;
const TEXT = 3;

export function plainText(root: Node): string {
  const parts: string[] = [];
  const visit = (node: Node) => {
    if (node.nodeType === TEXT) parts.push(node.nodeValue ?? "");
    if (node.nodeType !== ELEMENT && node !== root) return;
    const name = node.nodeName.toUpperCase();
    if (WITHOUT_TEXT.has(name)) return;
    const isBlock = !INLINE.has(name);
    if (isBlock) parts.push("\n");
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child);
    if (isBlock) parts.push("\n");
  };
  visit(root);
  return parts.join("");
}
