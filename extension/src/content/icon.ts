/**
 * The page's favicon, drawn small enough to be sent with its text, so that the web app never has to request it from the site.
 * The page is not affected: nothing is added to its document, and no cookie is sent.
 */
import { ICON_PREFIX, MAX_ICON } from "@mindhit/client";
import { isSensitive } from "./sensitive-pages";

/** Pixels. */
const SIDE = 32;
const TIMEOUT_MS = 1_000;
const MOST_BYTES = 100_000;
/** An image of few bytes may still have many pixels. */
const MOST_SIDE = 2_048;

/** Never fails: an icon that is missing, too large or unreadable is `undefined`. */
export async function drawIcon(
  page: Document,
  signal: AbortSignal,
  draw: (image: Blob) => Promise<string> = toDataUrl,
): Promise<string | undefined> {
  if (isSensitive(page)) return undefined;
  // Not `AbortSignal.any` with a timeout: engines may collect it as garbage while it is waited for.
  const limit = new AbortController();
  const stop = () => {
    limit.abort();
  };
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    const icon = await draw(await fetchImage(iconUrl(page), limit.signal));
    return icon.startsWith(ICON_PREFIX) && icon.length <= MAX_ICON ? icon : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function iconUrl(page: Document): string {
  const link = page.querySelector<HTMLLinkElement>('link[rel~="icon" i]');
  return link === null || link.href === "" ? `${page.location.origin}/favicon.ico` : link.href;
}

/** From the browser's cache, if it is there: the browser has usually loaded the icon already. */
async function fetchImage(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(url, { cache: "force-cache", credentials: "omit", signal });
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

async function toDataUrl(blob: Blob): Promise<string> {
  const url = URL.createObjectURL(blob);
  try {
    const image = await loadImage(url);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const context = canvas.getContext("2d");
    // An SVG without a size of its own reports 0.
    const [width, height] = [image.naturalWidth || SIDE, image.naturalHeight || SIDE];
    if (context === null || Math.max(width, height) > MOST_SIDE) return "";
    const scale = SIDE / Math.max(width, height);
    const [across, down] = [width * scale, height * scale];
    context.imageSmoothingQuality = "high";
    context.drawImage(image, (SIDE - across) / 2, (SIDE - down) / 2, across, down);
    return canvas.toDataURL("image/png");
  } finally {
    URL.revokeObjectURL(url);
  }
}

function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image(SIDE, SIDE);
    image.onload = () => {
      resolve(image);
    };
    image.onerror = () => {
      reject(new Error("no image"));
    };
    image.src = url;
  });
}
