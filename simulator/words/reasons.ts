// Why, and what then: the middle and the end of a thesis, by what the token has been through.

export const FRESH: readonly string[] = [
  "[Dev|The deployer|Team wallet] [holds|kept|has] [next to nothing|less than I expected|a sane slice], [checked|I looked|verifiable].",
  "[Replies|The chat|Mentions] [move|are going|fill] faster than [the chart|I can read|price].",
  "[First|Opening] [flush|dump|shakeout] [came and went|got bought|lasted minutes], [sellers|paper hands|the bundle] [look done|are out|rotated].",
  "[Curve|Bonding curve] is [filling|moving|climbing] [steadily|quickly|without gaps], [graduation|listing] is [not far|a real chance|the next stop].",
  "[Art|The mascot|The bit|The joke] is [actually good|better than it should be|easy to repeat], [that matters|which is half of it] [this early|at $cap].",
  "[Most|Nine in ten] of these [die today|go to zero|are gone by lunch], [price accordingly|I know|sized for that].",
  "[Top ten|Largest wallets|Early wallets] [under|below] [12%|15%|18%|20%|9%], [none|no one] [linked|funded together|obvious].",
];

export const RUNNING: readonly string[] = [
  "$dayMove [today|in a day] [on real volume|with two-sided flow|and funding has not noticed].",
  "[Every|Each] [dip|pullback|red candle] [under|toward|near] $level [gets bought|is gone in minutes|finds a bid].",
  "[Attention|The crowd|Mindshare] [just|only now] [arrived|found it|woke up], [late longs|tourists|bigger names] [come next|are next|follow].",
  "[Holders|Wallets|New buyers] [keep rising|climb daily|stack up] while [price rests|it consolidates|everyone waits for a pullback].",
  "[Strong hands|Early buyers|The first wave] [have not sold|sit on their bags|let it run], [supply is thin|asks are thin|not much for sale].",
  "[It leads|First to bounce, last to fade|Relative strength on $chain]: [that is the tell|easy to see|hard to ignore].",
];

export const FALLEN: readonly string[] = [
  "$fromPeak [off|below|under] the [high|top], [and it stopped making new lows|selling dried up|volume is leaving the sell side].",
  "[Down|It is] $fromPeak from [the top|its high|where people loved it], [nobody posts about it now|the chat is quiet|that's when I look].",
  "[Weak hands|Tourists|The late crowd] [left|are gone|capitulated], [cost basis reset|float moved|what is left knows what it holds].",
  "[Dead|Finished|Over], [they say|says the timeline|if you ask the chat][;|,| -] [maybe|could be|fair], [but at $cap I take the other side|and $cap prices that in|so I'll pay $cap to find out].",
  "[A bounce|Mean reversion|One green week] to [half|a third|a quarter] of the [high|old high|peak] is [all I need|the whole idea|the trade].",
];

export const QUIET: readonly string[] = [
  "[Flat|Sideways|Nothing] for [days|a week|ages], [range is tight|volatility is asleep|coiled], [someone|somebody] is [collecting|soaking it up|patient].",
  "[Boring|Quiet|Sleepy] [charts|coins|ranges] [pay|break|move] when [I stop looking|nobody is positioned|the last trader gives up].",
  "[Cheap|Low] [attention|interest], [same|unchanged] [holders|builders|community]: [fine by me|that is the setup|patience].",
  "[Volume|Turnover] [dried up|is a tenth of launch week|fell off] [but|and still] [the floor holds|no one sells|bids sit there].",
];

export const MAJOR: readonly string[] = [
  "[Fees|Revenue|Usage] [rose|up|climbed] [two|three|four|five] [weeks|months] [in a row|running|straight], [price|the market] [missed it|did not care yet|lags].",
  "[Unlocks|Emissions|The last cliff] [are behind us|end this quarter|got absorbed], [supply|float] [is known|stops growing|is clean].",
  "[Spot|Real money] [leads|is leading], [perps|leverage] [follow|lag|catch up later].",
  "[It is|Still] the [collateral|default|settlement coin] [half of|most of] $chain [runs on|uses|trusts].",
  "[Range low|Support|The shelf] held [three|four|five|six] times, [I only need one more|shorts keep donating|my stop sits below].",
  "[Beta|It] [moves|trades] with [the market|everything else] [until|unless] [news|governance|a catalyst] [hits|lands|shows up], [and one is due|I like the odds|that is free optionality].",
  "[Governance|The council|Tokenholders] [passed|approved|voted] the [boring|dull|dry] [proposal|change|upgrade] [that matters|nobody read|I was waiting for].",
];

export const RISKS: readonly string[] = [
  "[Risk|What kills it|Bear case]: [one wallet|a big holder|an insider] [dumps|exits|unloads], [and it could|size small|you were told].",
  "[Could|May|Might] [zero|be a rug|go nowhere], [sized|position] [for it|accordingly|so I sleep].",
  "[I am|Probably] [early|wrong|late] [by a day|by a mile|again], [stop at $level|out below $level|$level is my line].",
  "[Not advice|NFA|Do your own homework], [I hold it|biased|my bag talks].",
];

export const PLANS: readonly string[] = [
  "[Half|A third|A quarter] [off|out] at [2x|3x|a double|$target], [rest|runner] [rides|stays|to $goal].",
  "[Out|Gone|Cut] [under|below|if it loses] $level, [no debate|no second chances|automatic].",
  "[Target|Aim|Looking for] $goal [cap|market cap|or a reason to leave].",
  "[Add|Bid|More] [at|around|near] $level, [nothing|hands off|no chasing] [above|here|in between].",
  "[Holding|Sitting] [until|to|through] [$goal|the listing|the weekend|next month], [then I think again|then we talk|alerts set].",
  "[Will post|You'll see|I'll write] [the exit|when I sell|how it ends], [green or red|either way|as always].",
  "[No target|No plan beyond that|Plan is simple]: [trail it|let it work|watch the flow|follow the holders].",
];

/** People who do not write much. Enough ways to say little. */
export const CURT: readonly string[] = [
  "[$symbol|$ticker|$name] [at|@] $cap[,| -|.] [in|long|bought|got some|mine] [and quiet|for now|$size|no notes]",
  "[gm|gn|lfg|ok|yes|so] [$ticker|$symbol] [szn|hours|time|again|o'clock] [$size|at $cap|from $entry|$age in]",
  "[easy|simple|clean|obvious|free] [hold|swing|punt|bet|idea], [$cap|$entry|$size|$dayMove today], [$chain|$symbol|$ticker]",
  "[trust|watch|follow|respect|mind] the [tape|bid|chart|holders|flow|$chain bid], [$symbol|$ticker] [$cap|$entry|to $goal]",
  "[$symbol|$ticker] [to|sees|tags|goes] $goal [or|else|otherwise] [zero|i eat rice|i log off|back to work|never speak of it]",
];

export const EMOJI = [
  "🚀",
  "🔥",
  "💎",
  "👀",
  "🫡",
  "📈",
  "🌕",
  "🤝",
  "😤",
  "🧠",
  "🎯",
  "🪙",
  "🧪",
  "🛶",
] as const;
