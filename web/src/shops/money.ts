/** Prices in the person's language. The server sends decimals as strings, so that nothing is rounded on the way. */
import { useLocale } from "../ui/time/dates";

export type Money = (price: string | number | null, currency: string | null) => string;

/** An empty string where no price is known. */
export function useMoney(): Money {
  const locale = useLocale();
  return (price, currency) => moneyIn(locale, price, currency);
}

export function moneyIn(locale: string, price: string | number | null, currency: string | null): string {
  if (price === null) return "";
  const amount = Number(price);
  if (currency !== null)
    try {
      // Whole amounts of won have no decimals, and neither have whole ones of anything.
      const digits = Number.isInteger(amount) ? { maximumFractionDigits: 0 } : {};
      return new Intl.NumberFormat(locale, { style: "currency", currency, ...digits }).format(amount);
    } catch {
      // A shop may write anything for a currency.
    }
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(amount);
  return currency === null ? plain : `${plain} ${currency}`;
}

/** From the lowest to the highest price, or the one there is. */
export function rangeOf({ price_min: low, price_max: high, currency }: PriceRange, money: Money): string {
  if (low === null || high === null || Number(low) === Number(high)) return money(low ?? high, currency);
  return `${money(low, currency)} – ${money(high, currency)}`;
}

interface PriceRange {
  readonly price_min: string | null;
  readonly price_max: string | null;
  readonly currency: string | null;
}
