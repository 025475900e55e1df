// The words that tokens are named with. The established ones are listed whole; launches are put together.

/** Network index, symbol, name, supply in millions, market cap in millions of dollars, decimals. */
export const ESTABLISHED: readonly (readonly [number, string, string, number, number, number])[] = [
  [0, "JUP", "Jupiter", 3_200, 1_350, 6],
  [0, "BONK", "Bonk", 8_000, 1_120, 5],
  [0, "WIF", "dogwifhat", 998, 540, 6],
  [0, "PYTH", "Pyth Network", 5_700, 560, 6],
  [0, "RAY", "Raydium", 268, 470, 6],
  [0, "POPCAT", "Popcat", 980, 190, 9],
  [0, "JTO", "Jito", 380, 360, 9],
  [1, "PEPE", "Pepe", 8_400, 2_600, 18],
  [1, "LINK", "Chainlink", 690, 11_400, 18],
  [1, "UNI", "Uniswap", 600, 4_700, 18],
  [1, "AAVE", "Aave", 15, 2_900, 18],
  [1, "LDO", "Lido DAO", 890, 760, 18],
  [1, "MOG", "Mog Coin", 7_800, 220, 18],
  [2, "AERO", "Aerodrome", 890, 820, 18],
  [2, "VIRTUAL", "Virtual Protocol", 655, 870, 18],
  [2, "BRETT", "Brett", 9_000, 310, 18],
  [2, "DEGEN", "Degen", 8_500, 62, 18],
  [2, "TOSHI", "Toshi", 8_000, 240, 18],
  [2, "KEYCAT", "Keyboard Cat", 8_900, 24, 18],
  [3, "CAKE", "PancakeSwap", 340, 910, 18],
  [3, "TWT", "Trust Wallet", 416, 520, 18],
  [3, "FLOKI", "Floki", 8_600, 640, 9],
  [3, "BAKE", "BakerySwap", 290, 29, 18],
  [3, "XVS", "Venus", 16, 88, 18],
  [4, "ARROW", "Arrow", 1_000, 96, 18],
  [4, "HOOD", "Merry Hood", 1_000, 61, 18],
  [4, "SHERWOOD", "Sherwood", 1_000, 34, 18],
  [4, "FEATHER", "Feather", 2_100, 47, 18],
  [4, "LOCKSLEY", "Locksley", 1_000, 18, 18],
  [4, "TUCK", "Friar Tuck", 777, 11, 18],
];

export const ANIMALS =
  "frog cat dog shiba penguin hamster capybara otter raccoon goose panda monkey ape bear bull whale shark crab goat llama sloth moose badger ferret gecko parrot pigeon duck possum hippo tiger wolf fox koala lemur squid octopus snail turtle rat mouse bat owl eagle crow seal walrus yak bison donkey pony zebra giraffe mole beaver chicken rooster pig cow corgi pug husky axolotl quokka platypus".split(
    " ",
  );

export const THINGS =
  "pixel toast pickle waffle noodle burger taco sushi ramen bagel donut cookie muffin mango banana peach potato cheese rocket laser moon mars comet galaxy quantum turbo nitro plasma vapor neon chrome cyber robot wizard pirate ninja samurai knight goblin troll ghost zombie vampire clown king emperor uncle grandpa karen chad gigachad wojak bogdan intern janitor ceo senator oracle prophet monk sensei gremlin goblin candle chart wick ledger vault casino lotto jackpot coupon yacht lambo sneaker hoodie beanie sock spoon toaster fax pager dialup modem".split(
    " ",
  );

export const TRAITS =
  "baby based mini mega super ultra hyper dark golden silver crypto lucky sleepy angry happy sad fat tiny giant dumb smart drunk holy evil retro wild frozen burning flying dancing screaming silent secret rich broke rare cursed blessed feral chubby spicy salty sweet sour bald hairy dizzy lazy grumpy sneaky royal rogue cosmic atomic electric magic invisible nervous suspicious unhinged".split(
    " ",
  );

export const TAILS = [
  "inu",
  "coin",
  "wif hat",
  "ai",
  "gpt",
  "dao",
  "swap",
  "fi",
  "verse",
  "on chain",
  "club",
  "cto",
  "2.0",
  "classic",
  "pay",
  "season",
] as const;
