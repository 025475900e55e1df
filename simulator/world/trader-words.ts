// The words in traders' names and bios.

export const FIRST_NAMES =
  "alex sam nico luca maya zoe leo kai ravi anya ivan omar lena theo noah emma liam olivia ethan mia lucas ava mason ella logan aria jack luna owen nora finn ruby jude iris cole jade max rosa hugo vera otto cleo axel nina felix tara dante gia marco elsa yuki kenji hana minho jiwoo wei lin arjun priya diego sofia mateo pablo carlos ana joao bruno kofi ama tunde zara amir leila yusuf deniz pavel olga jonas freya lars sven anders bjorn casey riley quinn drew blake reese skyler parker".split(
    " ",
  );

export const HANDLE_NOUNS =
  "degen ape whale frog shark bull bear fox wolf owl crow hawk panda tiger viper cobra moth raven otter badger goblin wizard knight samurai ninja pirate nomad hermit oracle prophet monk pilot captain sergeant doctor chef barista janitor intern chad anon ghost phantom shadow spark ember storm thunder comet orbit pixel vector cipher matrix kernel daemon ledger vault candle wick chart alpha sigma delta gamma theta hodler flipper sniper scalper farmer minter bagholder maxi chaser hunter stacker builder lurker prince king queen duke baron mango pepper waffle noodle bagel pickle donut taco ramen mochi tofu brioche".split(
    " ",
  );

export const HANDLE_TRAITS =
  "based lucky crypto moon sol eth onchain silent lazy sleepy hungry broke rich poor mad wild tiny big fat old young dark neon golden iron paper diamond rogue feral humble savage holy cursed lost secret early late fast slow deep high low cold hot fresh salty spicy sweet bitter numb blind lone last first real fake true pure major minor super turbo hyper mega ultra retro cosmic lunar solar astral arctic desert urban rural royal loyal brave calm".split(
    " ",
  );

export const PLACES =
  "nyc ldn lagos berlin seoul tokyo mumbai lisbon miami dubai toronto paris hanoi manila austin cdmx bali oslo zurich sydney".split(
    " ",
  );

export const EMOJI = [
  "🐸",
  "🚀",
  "💎",
  "🔥",
  "🌙",
  "🦈",
  "🐋",
  "🧠",
  "👻",
  "🥷",
  "🍀",
  "⚡",
  "🐂",
  "🎯",
  "🪐",
  "🃏",
  "🏴‍☠️",
  "🦍",
  "🌊",
  "☕",
] as const;

export const UNICODE_NAMES = [
  "ヤマト",
  "明月",
  "Ζήνων",
  "Ñandú",
  "Łukasz",
  "Søren",
  "Émile",
  "김민수",
  "छोटा डेगन",
  "Мирон",
  "Ægir",
  "阿凡达",
  "سامي",
  "Žofia",
  "Çağrı",
] as const;

export const CLAN_FIRST =
  "iron silver neon midnight lunar paper diamond copper velvet arctic crimson emerald golden onyx quiet royal savage stone sunset turbo".split(
    " ",
  );
export const CLAN_SECOND =
  "wolves syndicate capital circle cartel club collective council desk guild house legion league lodge order pack society squad table union".split(
    " ",
  );
export const CLAN_ICONS = ["🐺", "🦅", "🛡️", "⚔️", "🏛️", "🌒", "💠", "🐍", "🔱", "🎴", "🦂", "🕯️"] as const;

export const BIOS: Record<string, readonly string[]> = {
  sniper: [
    "first block or nothing",
    "i buy launches so you don't have to",
    "fast hands. no conviction.",
    "sub-10k caps only",
    "in before the dev tweets",
    "speed > thesis",
    "sniping {chain} since the first curve",
  ],
  swing: [
    "levels, patience, risk. in that order",
    "ex-equities, now charts that never close",
    "swing trades, two day holds, no drama",
    "trend is a friend until it isn't",
    "i post my entries. also my exits.",
    "momentum on {chain}",
    "half out at 2x, always",
  ],
  holder: [
    "bought. went outside.",
    "conviction plays only",
    "low time preference in a high time preference casino",
    "i read the whole docs",
    "still holding. yes that one too.",
    "long {chain}, long coffee",
  ],
  whale: [
    "size is a thesis",
    "fund of one",
    "not financial advice, not an advisor, not sorry",
    "market maker of last resort",
    "private. dms closed.",
    "liquidity is my love language",
  ],
  bot: [
    "automated. replies are not.",
    "a script with opinions",
    "v4.2, now with stop losses",
    "running since 2023, mostly green",
    "beep",
  ],
  bad: [
    "exit liquidity, professionally",
    "inverse me",
    "buying tops since forever",
    "one more trade and i quit",
    "down bad but vibes immaculate",
    "the chart was going up when i looked",
    "my therapist says hi",
  ],
};

export const SHARED_BIOS = [
  "{place} based",
  "building something, trading everything",
  "gm",
  "nfa",
  "dad of two, holder of nine",
  "student by day, {chain} by night",
  "here for the memes",
  "prev. consulting, currently winning",
  "just looking",
  "opinions are my bags",
  "{clanless} lone wolf",
  "day {day} of turning 1 sol into 100",
] as const;
