// The words in token names, all invented. The established ones are listed whole; launches are composed.

/** Network index, symbol, name, supply in millions, market cap in millions of dollars, decimals. */
export const ESTABLISHED: readonly (readonly [number, string, string, number, number, number])[] = [
  [0, "ZEPHRA", "Zephra", 3_200, 1_180, 6],
  [0, "GROMBO", "Grombo", 8_000, 905, 5],
  [0, "MITTENZ", "Mittenz", 998, 430, 6],
  [0, "ORAKEL", "Orakel Grid", 5_700, 512, 6],
  [0, "DELTAREEF", "Delta Reef", 268, 388, 6],
  [0, "BLIPCAT", "Blipcat", 980, 164, 9],
  [0, "STAKELY", "Stakely", 380, 305, 9],
  [1, "GLOOP", "Gloop", 8_400, 1_900, 18],
  [1, "CHAINWELL", "Chainwell", 690, 7_600, 18],
  [1, "HORNSWAP", "Hornswap", 600, 3_300, 18],
  [1, "LENDARA", "Lendara", 15, 2_150, 18],
  [1, "STILT", "Stilt Staking", 890, 640, 18],
  [1, "MOGGLE", "Moggle", 7_800, 175, 18],
  [2, "AIRDOCK", "Airdock", 890, 690, 18],
  [2, "AGENTIA", "Agentia", 655, 720, 18],
  [2, "BRUNO", "Bruno the Newt", 9_000, 240, 18],
  [2, "GAMBOL", "Gambol", 8_500, 58, 18],
  [2, "TOKKI", "Tokki", 8_000, 201, 18],
  [2, "PIANOCAT", "Piano Kitten", 8_900, 21, 18],
  [3, "CRUMPET", "Crumpet Exchange", 340, 770, 18],
  [3, "POUCH", "Pouch Wallet", 416, 455, 18],
  [3, "FLUFFO", "Fluffo", 8_600, 520, 9],
  [3, "OVENLY", "Ovenly", 290, 26, 18],
  [3, "VESPERA", "Vespera", 16, 81, 18],
  [4, "QUIVER", "Quiver", 1_000, 96, 18],
  [4, "LINCOLNGR", "Lincoln Green", 1_000, 61, 18],
  [4, "OAKLEAF", "Oakleaf", 1_000, 34, 18],
  [4, "FLETCH", "Fletch", 2_100, 47, 18],
  [4, "BOWYER", "Bowyer", 1_000, 18, 18],
  [4, "TANKARD", "Tankard", 777, 11, 18],
];

export const ANIMALS =
  "newt stoat marmot penguin hamster capybara otter raccoon goose panda lorikeet tapir bear heron dormouse crab goat llama sloth moose badger ferret gecko parrot pigeon duck possum hippo lynx wolfling vole koala lemur squid octopus snail turtle shrew weasel bat owl osprey crow seal walrus yak bison donkey pony zebra giraffe mole beaver chicken rooster pig cow corgi pug husky axolotl quokka platypus".split(
    " ",
  );

export const THINGS =
  "pixel toast pickle waffle noodle burger taco dumpling ramen bagel donut cookie muffin mango quince peach potato cheese rocket laser moonlet comet galaxy gizmo turbo nitro plasma vapor neon chrome robot wizard pirate ninja samurai knight goblin troll ghost zombie vampire clown king emperor uncle grandpa auntie lodger intern janitor ceo senator oracle prophet monk sensei gremlin candle chart wick ledger vault casino lotto jackpot coupon yacht jetski sneaker hoodie beanie sock spoon toaster fax pager dialup modem".split(
    " ",
  );

export const TRAITS =
  "baby mini mega super ultra hyper dark golden silver lucky sleepy angry happy sad chunky tiny giant dumb smart tipsy holy evil retro wild frozen burning flying dancing screaming silent secret rich broke rare cursed blessed feral chubby spicy salty sweet sour bald hairy dizzy lazy grumpy sneaky royal rogue cosmic atomic electric magic invisible nervous suspicious unhinged".split(
    " ",
  );

export const TAILS = [
  "coin",
  "in a hat",
  "ai",
  "bot",
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
