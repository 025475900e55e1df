// How a thesis begins, by what the author has just done and by how they trade. Every pattern says only what is so.

/** A first buy, by style. */
export const FIRST: Readonly<Record<string, readonly string[]>> = {
  sniper: [
    "[In|Filled|Got my fill|Clipped some] at $cap[, $age after launch|, token is $age old|, age $age][;| -|,] [fast one|scalp|not marrying it|in and out|quick hands only].",
    "[Launch|Deploy|Contract] looked [clean|cleaner than most|fine at a glance|boring in the good way], so [I took|I clicked for|I put in] $size [early|at $cap|before the crowd|while the curve was thin].",
    "$age [old|since launch] and [already $sinceLaunch|the tape says $sinceLaunch|sitting at $sinceLaunch from the open][;|,| -] [I'd rather be early and wrong|took the shot with $size|small ticket, $size|$size says it goes again].",
    "[Beat|Front-ran|Got ahead of] [most of the|half the|the slow] [bots|crowd|timeline] on $symbol[.|, average is around $entry.|, filled near $entry.]",
    "[Sniped|Picked off|Scooped] $symbol at [$cap|$entry|a $cap cap][;|,| -] [reason: speed|no story, just tape|the story comes later|volume first, questions later].",
    "[Third|Fourth|Fifth|Second] launch [today|this session|tonight] I [bother with|touch|load], [first|only] one with [real bids|two-sided flow|sells that get eaten|more buyers than bots].",
  ],
  swing: [
    "[Opened|Started|Put on] a [swing|position|starter] in $symbol [around|near|at] $entry, [invalid|wrong|out] below $level.",
    "$name [reclaimed|is back over|took back] [the level|the shelf|the range low] I [marked|drew|had] [last week|days ago|on Sunday|before the dump], [bought the retest|took $size on the retest|in for $size].",
    "[Structure|The chart|Price action] on $symbol [turned|flipped|finally changed]: [higher low|failed breakdown|spring under the range|tight base], [then volume|then a bid|then nothing but bids][;|,| -] [long $size|in for $size|entry $entry].",
    "[Risk|Stop|Invalidation] is [simple|clear|close] here: $level[;|,| -] [upside|target|room] [is|runs] to $target [before|until] [anyone|the old holders|trapped supply] [sells|shows up|matters].",
    "[Took|Opened|Bought] $size at $entry[,| -|;] [$dayMove on the day|$dayMove since yesterday|$dayMove in 24h] [and still early|and the trend is not mine to argue with|, structure over story|, that is noise at this timeframe].",
    "[Waited|Sat on my hands|Watched] [three days|most of a week|all of yesterday|two sessions] for $symbol to [come to me|stop falling|tag the level|go quiet][;|,| -] [filled at $entry|finally in|$size on].",
  ],
  holder: [
    "[Bought|Picked up|Started on] $symbol [today|this week|quietly] and [plan to|intend to|hope to] [ignore it|leave it alone|stop looking] for [months|a season|a long while].",
    "[I read|I went through|Spent an evening in] [the docs|the forum|every post|the chat history] of $name[;|,| -] [came out convinced|still like it|bought $size after|the price is not the interesting part].",
    "A [$cap cap|valuation of $cap|market cap of $cap] [for this|on $name|for something people use] [is the mistake I want to own|seems too low to argue about|is where I start, not where I stop].",
    "[Not a trade|Not a flip|No stop here][:| -|,] $symbol [sits|goes] [in the drawer|with the long stuff|next to the majors] [until|unless] [the reason changes|the team leaves|I need the cash].",
    "[Slow|Small|Boring] [start|first buy|entry] in $name, $size, [more on red days|adding monthly|will average if it dips].",
    "[Everyone I trade with|Half my feed|My whole group] is [chasing launches|in perps|in cash]. I [bought|took|added] $name at $cap [instead|and logged off|and went outside].",
  ],
  whale: [
    "[Worked|Built|Filled] $size of $symbol [over an hour|in clips|patiently], [average|blended] $entry, [moved it less than I feared|paid some slippage|left bids under].",
    "[Liquidity|Depth|The pool] on $symbol is [finally enough|just enough|deep enough] for $size[,| -|;] [so I took it|that was the only thing missing|which it was not last month].",
    "[Bought|Took|Absorbed] [a seller's whole clip|what the panic sold|the offers up to $entry], $size [in all|total|so far].",
    "At $cap [my downside is known|I can afford to be wrong|the asymmetry pays for the spread][;|,| -] [$size in|position is $size|sized at $size].",
    "[One of|Among] [two|three|four] [names|coins|positions] I [want|hold|carry] on $chain [this month|right now|into the weekend][,|;| -] [average $entry|$size for now].",
  ],
  bot: [
    "[sig|signal|trigger] $symbol [mom|momentum|flow] [z|score] [1.8|2.1|2.4|2.7|3.0], [size|qty] $size, [sl|stop] $level",
    "[entry|fill|open] $symbol @ $entry [|cap $cap] [tp|target] $target [sl|stop] $level",
    "$symbol [inflow|netflow|buys] [5m|15m|1h] [> limit|above band|crossed], [auto|rule] [7|12|19|23] [fired|hit], $size",
    "[model|strategy|set] [a|b|c|d][1|2|3] [long|buy] $symbol $size, [exp|expected] [hold|horizon] [9m|20m|45m|2h]",
  ],
  bad: [
    "[ok|alright|right] [so|listen|hear me out], $symbol[,| -|...] [in for $size|put $size in|bought at $cap], [no regrets|pray for me|this is the one|i feel it].",
    "$symbol [is|was] [up|at] $sinceLaunch [and i|so i|and yeah i] [could not|couldn't] [watch anymore|sit this out|just look at it][,| -|...] [$size in|bought|full send].",
    "[my cousin|a guy at work|somebody in the chat|my barber] [said|told me|keeps saying] $name [is next|goes to $target|is free money] [so here we are|and he was right once|good enough for me].",
    "[missed|slept through|faded] the last [three|two|five], [not|never] missing $symbol[,| -|...] [entry $entry|in at $cap|$size on it].",
    "[lost|gave back|donated] [most of|half of|some of] [last week|yesterday|my week] so [$symbol|$name] [has to|needs to|better] [make it back|pay|deliver].",
    "[don't know|no clue|couldn't tell you] what $name [does|is for|even is] but [the candle|the chart|that green] [spoke to me|looks delicious|was right there].",
  ],
};

/** Bought again, or for the second time and more. */
export const ADDED: readonly string[] = [
  "[Added|Bought more|Topped up] [$symbol|here|my $symbol], [buy number $buys|that makes $buys buys|$buys fills now], [average|blended|avg] $entry.",
  "[Position|Bag|My $symbol] is $size [now|after today's add|all in], $gainSoFar [on it|so far|at this price].",
  "[Averaged|Stepped] [in again|into it again] at $cap, [$buys clips in total|fill $buys|not the last time].",
  "[Still|Keep] [buying|adding] $symbol [on the way|into weakness|into this], [$size in|average $entry|$gainSoFar right now].",
];

/** Some was sold already and some is held. */
export const TRIMMED: readonly string[] = [
  "[Took|Pulled|Booked] [some|a piece|part] [off|out] [earlier|already|on the spike], [holding|riding|keeping] [the rest|what's left|a runner], [$gainSoFar on it|still $size in].",
  "[Sold a slice|Trimmed|De-risked] [before posting this|already|first], [so this is|what's left is] [house money|mostly free|the part I believe in].",
];

/** The author wrote about the token before. */
export const AGAIN: readonly string[] = [
  "[Wrote|Posted|Said my piece] about $symbol [before|earlier|a while back], [view unchanged|price changed more than the view|sizing it better this time|less shouting this time].",
  "[Round|Take|Attempt] [two|number two|again] [on|with] $symbol[;|,| -] [last time I was early|last one taught me patience|different entry, same idea|this time with a stop].",
];

/** How the author's last idea went. */
export const AFTER_WIN: readonly string[] = [
  "[Rolled|Moved|Put] [some of|part of|a bit of] what $lastSymbol [paid|made me|left me] [into this|in here|over].",
  "[After|Since] $lastSymbol [worked|paid|ran] I [can|get to] [take a swing|be patient|size this properly].",
];
export const AFTER_LOSS: readonly string[] = [
  "[Still|Yes, still] [sore|bleeding|annoyed] from $lastSymbol, [so smaller|half size|tighter stop] [here|this time|on this one].",
  "$lastSymbol [hurt|was a bad call|did not work][;|,| -] [this is not that|different setup|other rules here|moving on|$size says I am over it].",
];
