/** Pages that are never read: those with a field for a password, a one-time code or a payment card. */
const FIELDS = [
  'input[type="password"]',
  'input[autocomplete*="cc-" i]',
  'input[autocomplete="one-time-code" i]',
  'input[autocomplete*="password" i]',
  'input[name*="cardnumber" i]',
  'input[name*="card-number" i]',
  'input[name*="card_number" i]',
  'input[id*="cardnumber" i]',
  'input[id*="card-number" i]',
  'input[name*="cvc" i]',
  'input[name*="cvv" i]',
].join(", ");
/** Frames in which payment services ask for card numbers. */
const FRAMES = [
  'iframe[name^="__privateStripeFrame"]',
  'iframe[title*="payment" i]',
  'iframe[name^="braintree-hosted-field"]',
  "iframe.js-iframe[src*='adyen.com']",
  'iframe[src*="paypal.com/smart"]',
  'iframe[src*="tosspayments.com"]',
].join(", ");

export function isSensitive(page: Document): boolean {
  if (page.querySelector(FIELDS) !== null) return true;
  return [...page.querySelectorAll<HTMLElement>(FRAMES)].some(isVisible);
}

/** Payment services put frames of no size on every page, to detect bots. */
function isVisible(frame: HTMLElement): boolean {
  const { width, height } = frame.getBoundingClientRect();
  return width > 1 && height > 1;
}
