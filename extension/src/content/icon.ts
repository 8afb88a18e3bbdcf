/**
 * The page's icon, drawn small enough to go along with its text: whoever looks back later asks the site for nothing. The
 * page notices nothing of it: nothing is added to its document, and no cookie is sent.
 */
import { ICON, MAX_ICON } from "../capture/text";
import { isSensitive } from "./sensitive";

const SIDE = 32;
const MOST_MS = 1_000;
const MOST_BYTES = 100_000;
/** A picture of few bytes may still be one of many pixels. */
const MOST_SIDE = 2_048;

/** Never fails: an icon that is missing, too large or not ours to read is none. */
export async function drawIcon(
  page: Document,
  signal: AbortSignal,
  draw: (picture: Blob) => Promise<string> = drawn,
): Promise<string | undefined> {
  if (isSensitive(page)) return undefined;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  try {
    const icon = await draw(await fetched(addressOf(page), patience));
    return icon.startsWith(ICON) && icon.length <= MAX_ICON ? icon : undefined;
  } catch {
    return undefined;
  }
}

function addressOf(page: Document): string {
  const link = page.querySelector<HTMLLinkElement>('link[rel~="icon" i]');
  return link === null || link.href === "" ? `${page.location.origin}/favicon.ico` : link.href;
}

/** From the browser's cache where it has it, which it has shown it from. */
async function fetched(address: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(address, { cache: "force-cache", credentials: "omit", signal });
  if (!response.ok || response.body === null) throw new Error("no icon");
  const parts: BlobPart[] = [];
  const reader = response.body.getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new Error("too large");
    }
    parts.push(part.value);
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}

async function drawn(picture: Blob): Promise<string> {
  const address = URL.createObjectURL(picture);
  try {
    const image = await loaded(address);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const pen = canvas.getContext("2d");
    // A drawing without a size of its own says 0.
    const [width, height] = [image.naturalWidth || SIDE, image.naturalHeight || SIDE];
    if (pen === null || Math.max(width, height) > MOST_SIDE) return "";
    const scale = SIDE / Math.max(width, height);
    const [across, down] = [width * scale, height * scale];
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, (SIDE - across) / 2, (SIDE - down) / 2, across, down);
    return canvas.toDataURL("image/png");
  } finally {
    URL.revokeObjectURL(address);
  }
}

function loaded(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image(SIDE, SIDE);
    image.onload = () => {
      resolve(image);
    };
    image.onerror = () => {
      reject(new Error("no picture"));
    };
    image.src = address;
  });
}
