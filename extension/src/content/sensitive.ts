/** Pages whose text is nobody's business: where a password is typed, or something is paid for. */
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
/** Frames in which payment services ask for cards. */
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
  return [...page.querySelectorAll<HTMLElement>(FRAMES)].some(isShown);
}

/** Payment services put frames of no size on every page, to tell people from robots. */
function isShown(frame: HTMLElement): boolean {
  const { width, height } = frame.getBoundingClientRect();
  return width > 1 && height > 1;
}
