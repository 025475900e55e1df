// What people say under a thesis, and what answers them. A reply answers the kind of comment it is a reply to.

export interface TalkTopic {
  /** How somebody brings it up. */
  says: readonly string[];
  /** How the author answers, and how anybody else does. */
  author: readonly string[];
  others: readonly string[];
}

export const TOPICS: readonly TalkTopic[] = [
  {
    says: [
      "[what's|where is|what is] [your|the] [exit|target|out]?",
      "[selling|taking profit] [where|at what cap|when]?",
      "[target|exit plan|plan] [on $symbol|here|if it doubles]?",
    ],
    author: [
      "[half|some|a third] at [2x|$target|a double], [rest|the rest] [rides|at $goal|we'll see]",
      "[out|stop] [below|under] $level, [otherwise|else] [I hold|it runs|no plan to sell]",
    ],
    others: [
      "[he|they] [never|always] [post|posts] [the exit|exits|that], [watch the feed|check the fills|look at the history]",
      "[mine is|i sell at|i'm out at] $goal [for what it's worth|, greedy i know|if we get there]",
    ],
  },
  {
    says: [
      "[isn't|is not] the [dev|team|top wallet] [still holding|sitting on a lot|known for this]?",
      "[holders|distribution|top ten] [look|looks] [heavy|concentrated|sketchy] [to me|on $symbol|no?]",
      "[careful|heads up], [a large wallet|an early wallet|someone big] [moved|sold|unloaded] [an hour ago|this morning|just now]",
    ],
    author: [
      "[checked|looked at it|seen it], [a few percent|not that large|priced in at $cap], [stop is $level|sized for it|that's why it's $size]",
      "[fair|true|possible], [that's the risk|hence the size|I'd be gone below $level]",
    ],
    others: [
      "[saw|noticed] that [too|as well], [half size for me|staying out|not touching it]",
      "[fud|every token has that|so does everything on $chain]",
    ],
  },
  {
    says: [
      "[following|with you|in with you] [on this|here|into it], [$cap is fine|small size|let's see]",
      "[same|similar] [idea|thesis|entry] here, [smaller|half the size|later than you]",
      "[added|bought some] [because of this|after reading|on your post]",
    ],
    author: [
      "[good luck|careful with size|mind your own stop], [$level|below $level I'm out|it can go wrong]",
      "[welcome|glad to have company|hope it works for both of us]",
    ],
    others: [
      "[same boat|me too|third one in]",
      "[copying|following] [is not a plan|works until it doesn't|, bold]",
    ],
  },
  {
    says: [
      "[bought|buying] the [top|local top|blow-off]? [$dayMove today|it's $sinceLaunch already|bold]",
      "[you said|didn't you say] [the same|that] [about|on] [the last one|your last bag|everything]",
    ],
    author: [
      "[maybe|could be|we'll see], [entry is|average is] $entry, [wrong below|out under] $level",
      "[because|simple]: [liquidity and holders|flow|it's where the bids are], [could be wrong|no guarantee]",
    ],
    others: [
      "[ouch|brutal|fair question]",
      "[check|look at] [the win rate|the history|the fills] [first|before that]",
    ],
  },
  {
    says: [
      "[respect|credit] for [posting the entry|showing size|the levels]",
      "[best|clearest|shortest] [write-up|post|case] [on $symbol|today|I've read this week]",
      "[aged|aging] [well|nicely|like milk|interestingly]",
    ],
    author: [
      "[thanks|cheers|appreciated], [exit will be here too|let's see how it ends|still in]",
      "[too early to say|ask me at $goal]",
    ],
    others: ["[agreed|seconded|this]", "[survivorship|one good call|easy in hindsight]"],
  },
  {
    says: [
      "[is [liquidity|lp] [locked|burned|safe]|anyone know if [liquidity|lp] is [locked|burned]] [on $symbol|here|or not]?",
      "[lp|liquidity] [status|lock] [on $symbol|on this]? [can't find it|asking before i click|]",
    ],
    author: [
      "[locked|burned] [since launch|, it's on the token page|, I checked], [verify yourself|don't take my word]",
      "[as far as I can tell yes|looked fine to me], [still sized for a rug|$size is what I can lose]",
    ],
    others: [
      "[locked|burned] [last i checked|they say|, verify yourself]",
      "[on $chain|these days] [nobody|no one] [knows|really checks]",
    ],
  },
  {
    says: [
      "[slippage|depth] [ok|fine|usable] [for size|above 500|for more than a ticket]?",
      "[how thin|how deep] is [this|$symbol|the pool]?",
    ],
    author: [
      "[enough|fine] for [$size|what I did], [thin above that|use clips|mind the spread]",
      "[small clips|a few hundred at a time|patience] [works|is fine|does it] at $cap",
    ],
    others: [
      "[works|fine] [for small tickets|under 300|if you wait]",
      "[thin|very thin], [ate|paid] [3%|5%|8%] [yesterday|on a small one]",
    ],
  },
  {
    says: [
      "[why|how come] [this|$symbol] [and not|over] [a major|something liquid|the other one on $chain]?",
      "[what makes|why is] [$symbol|this one] [different|special] [from the other ten|on $chain]?",
    ],
    author: [
      "[because|simple]: [holders|flow|it's where the bids are] [at $cap|right now], [could be wrong|no guarantee]",
      "[$cap|price] [leaves room|is the reason], [the others don't|majors won't do that]",
    ],
    others: ["[good question|was wondering too]", "[it isn't|nothing], [they all say that|that's the trade]"],
  },
];
