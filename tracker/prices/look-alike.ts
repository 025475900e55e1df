// Deceptive names: a token that shows a money coin's symbol, in whatever letters, or an advertisement instead of a name. Anyone
// can name a token anything; only its address identifies it.

/** How much of a name is examined; longer names can't be mistaken for a short one. */
const NAME_LENGTH_MAX = 64;

/** Letters of other alphabets, and digits, that look like Latin ones. */
const LOOKS_LIKE: Record<string, string> = {
  ...letters(
    "а a в b с c ԁ d е e ғ f ԍ g һ h і i ј j к k ӏ l м m н h о o р p ԛ q ѕ s т t ѵ v ԝ w х x у y ё e",
  ),
  ...letters("α a β b ε e ζ z η n ι i κ k ν v ο o ρ p τ t υ u χ x γ y μ m"),
  ...letters("ı i ł l ø o ß b đ d ħ h ŧ t 0 o 1 l 5 s ¢ c € e ₮ t $ s"),
};

/** Symbols of money on the known chains, as commonly written. */
const MONEY_SYMBOLS = new Set(
  "usd usdc usdce usdt usdt0 dai usds usde usd1 fdusd busd pyusd usdg tusd eth weth btc wbtc cbbtc sol wsol bnb wbnb pol wpol matic wmatic avax"
    .split(" ")
    .map(foldName),
);

const ADVERTISES =
  /https?:|www\.|t\.me|\.(com|org|net|io|xyz|app|fi|site|top|link|cc|vip|gift)\b|claim|airdrop/i;

function letters(pairs: string): Record<string, string> {
  const list = pairs.split(" ");
  return Object.fromEntries(
    list.flatMap((letter, at) => (at % 2 === 0 ? [[letter, list[at + 1] ?? ""]] : [])),
  );
}

/** A name as it looks to a reader: ignoring case, spaces, punctuation, accents and alphabets. */
export function foldName(name: string): string {
  // A leading $ is how tickers are written; elsewhere it stands for a letter.
  const plain = name.slice(0, NAME_LENGTH_MAX).normalize("NFKD").trim().replace(/^\$/, "").toLowerCase();
  return [...plain]
    .map((letter) => LOOKS_LIKE[letter] ?? letter)
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a token that is not money shows money's name, or advertises. */
export function pretends({ symbol, name }: { symbol: string; name: string }): boolean {
  return MONEY_SYMBOLS.has(foldName(symbol)) || ADVERTISES.test(symbol) || ADVERTISES.test(name);
}
