# Written by `npm run client:types` from the contract. Do not edit: client/generate/ is where it comes from.
from __future__ import annotations

from typing import Any, AsyncIterator, Dict, List, Literal, NotRequired, Optional, Sequence, Tuple, TypedDict, Union

from ._errors import ApiError
from ._operation import CallOptions, OperationRow


TraderPnl = TypedDict("TraderPnl", {
    "24h": "float",
    "7d": "float",
    "30d": "float",
    "all": "float",
})


TraderWindows = TypedDict("TraderWindows", {
    "24h": "TraderWindow",
    "7d": "TraderWindow",
    "30d": "TraderWindow",
    "all": "TraderWindow",
})


class Trader(TypedDict):
    """One person of the upstream platform, with wallets and figures."""
    handle: str
    displayName: str
    userId: str
    avatar: Union[str, None]
    description: Union[str, None]
    twitter: Union[str, None]
    verified: bool
    clan: Union[Clan, None]
    wallets: Wallets
    pnl: TraderPnl
    windows: TraderWindows
    pnlUsd: float
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    pnlSource: Literal["books", "platform"]
    volumeUsd: float
    trades: int
    swapCount: int
    followers: Union[int, None]
    following: Union[int, None]
    upstreamCreatedAt: str
    accountAgeDays: int
    averageHoldTimeSeconds: Union[float, None]
    holdings: List[Holding]
    holdingsCount: int
    topTokens: List[TopToken]
    asOf: str


class Clan(TypedDict):
    """A group of traders on the upstream platform."""
    id: str
    name: str
    icon: Union[str, None]
    role: Union[str, None]


class WalletsEvidence(TypedDict):
    solana: Union[str, None]
    evm: Union[str, None]


class WalletsAll(TypedDict):
    """Every known wallet of the trader, the ones above first."""
    solana: List[str]
    evm: List[str]


class Wallets(TypedDict):
    """A trader's wallets and what proves them."""
    solana: Union[str, None]
    evm: Union[str, None]
    verified: bool
    evidence: WalletsEvidence
    all: WalletsAll
    status: NotRequired[Literal["resolved", "resolving"]]


class TraderWindow(TypedDict):
    """A trader's profit in one window."""
    pnlUsd: float
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    complete: bool
    unpriced: int


class Holding(TypedDict):
    """One token that a trader holds."""
    token: Token
    amount: float
    amountRaw: NotRequired[str]
    decimals: NotRequired[int]
    priceUsd: Union[float, None]
    valueUsd: Union[float, None]
    change24h: Union[float, None]
    spam: bool
    chainId: int
    chain: str


class Token(TypedDict):
    """A token, known by its chain and address."""
    symbol: str
    address: str
    name: str
    networkId: int
    image: Union[str, None]


class TopToken(TypedDict):
    """One of a trader's most valuable tokens."""
    tokenAddress: str
    symbol: str
    networkId: int
    chainId: int
    chain: str
    humanAmount: float
    price: Union[float, None]
    value: Union[float, None]
    pnl: Union[float, None]
    imageUrl: Union[str, None]


class TradersAnswer(TypedDict):
    """Everybody on the platform, in one order at one moment."""
    window: Literal["24h", "7d", "30d", "all"]
    sort: Literal["handle", "pnl", "volume", "lastFill"]
    order: Literal["desc", "asc"]
    asOf: Union[str, None]
    total: int
    count: int
    traders: List[DirectoryRow]
    available: NotRequired[bool]
    nextCursor: Union[str, None]
    complete: bool
    note: Union[str, None]


class DirectoryRowWallets(TypedDict):
    solana: Union[str, None]
    evm: Union[str, None]


class DirectoryRow(TypedDict):
    """One trader of the directory."""
    rank: Union[int, None]
    handle: str
    displayName: str
    userId: str
    verified: bool
    wallets: DirectoryRowWallets
    pnlUsd: float
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    volumeUsd: float
    trades: int
    positions: Union[int, None]
    followers: Union[int, None]
    lastFillAt: Union[str, None]
    upstreamCreatedAt: str


class TradesAnswer(TypedDict):
    """A trader's trade history, a page at a time or fanned out."""
    key: str
    kind: Literal["handle", "userId"]
    count: int
    trades: List[TradeRow]
    openCount: int
    closedCount: int
    available: bool
    nextCursor: Union[str, None]
    truncated: bool
    complete: bool
    note: Union[str, None]
    asOf: Union[str, None]
    closedTotalOnUpstream: NotRequired[Union[int, None]]
    perChainClosedTotal: NotRequired[Dict[str, int]]
    upstreamCalls: NotRequired[int]
    partial: NotRequired[bool]


class Position(TypedDict):
    """One trader in one token, from the first token in to the last one out."""
    token: Token
    side: Literal["buy", "sell"]
    sizeUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    chainId: int
    chain: str
    ts: str
    source: Literal["captured"]
    tradeId: str
    userId: str
    status: Literal["open", "closed"]
    amount: float
    avgEntryPrice: Union[float, None]
    avgExitPrice: Union[float, None]
    unrealizedPnlUsd: Union[float, None]
    pnlUsd: Union[float, None]
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    costBasisUsd: Union[float, None]
    boughtAmount: float
    soldAmount: float
    transferredInAmount: float
    transferredOutAmount: float
    avgTransferInPrice: Union[float, None]
    avgTransferOutPrice: Union[float, None]
    priceUsd: Union[float, None]
    pricedBy: Union[Literal["stable", "native", "pool", "quote", "platform"], None]
    depthUsd: Union[float, None]
    asOf: Union[str, None]
    exact: Union[bool, None]
    createdAt: str
    closedAt: Union[str, None]
    spam: bool


class FeedTrade(TypedDict):
    """One recent trade of an active trader."""
    token: Token
    side: Literal["buy", "sell"]
    sizeUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    chainId: int
    chain: str
    ts: str
    source: Literal["feed"]
    userId: Union[str, None]
    tradeId: Union[str, None]
    swapId: Union[str, None]
    amount: Union[float, None]
    priceUsd: Union[float, None]
    txHash: Union[str, None]


class PositionsAnswer(TypedDict):
    """A trader's captured positions."""
    key: str
    kind: Literal["handle", "userId"]
    count: int
    positions: List[Position]
    openCount: int
    closedCount: int
    openTotal: int
    closedTotal: int
    closedTotalOnUpstream: Union[int, None]
    available: bool
    nextCursor: Union[str, None]
    truncated: bool
    complete: bool
    note: Union[str, None]
    asOf: Union[str, None]


class PositionChartsAnswer(TypedDict):
    """Some of a trader's positions as small charts."""
    handle: str
    userId: str
    asOf: str
    count: int
    charts: List[PositionChart]


PositionChart = TypedDict("PositionChart", {
    "tradeId": "str",
    "interval": "Literal[\"1m\", \"5m\", \"15m\", \"1h\", \"4h\", \"1d\"]",
    "from": "str",
    "to": "str",
    "prices": "List[ChartPrice]",
    "marks": "List[ChartMark]",
    "moves": "int",
    "complete": "bool",
})


class ChartPrice(TypedDict):
    """One price of a small chart."""
    t: str
    c: float


class ChartMark(TypedDict):
    """A buy, a sell or a transfer on a small chart."""
    t: str
    kind: Literal["buy", "sell", "receive", "send"]
    priceUsd: Union[float, None]
    usd: Union[float, None]


class SwapsAnswer(TypedDict):
    """A trader's fills, newest first."""
    key: str
    kind: Literal["handle", "userId"]
    count: int
    swaps: List[Swap]
    available: bool
    nextCursor: Union[str, None]
    truncated: bool
    complete: bool
    note: Union[str, None]


class Swap(TypedDict):
    """One fill."""
    swapId: str
    side: Literal["buy", "sell"]
    chainId: int
    chain: str
    tokenIn: SwapLeg
    tokenOut: SwapLeg
    priceUsd: Union[float, None]
    pricedBy: Union[Literal["stable", "native", "pool", "quote", "platform"], None]
    depthUsd: Union[float, None]
    asOf: Union[str, None]
    exact: Union[bool, None]
    feeUsd: Union[float, None]
    txHash: str
    block: Union[int, None]
    tradeIdIn: Union[str, None]
    tradeIdOut: Union[str, None]
    at: str


class SwapLeg(TypedDict):
    """One side of a fill."""
    address: str
    symbol: str
    amount: float
    amountRaw: NotRequired[str]
    decimals: NotRequired[int]
    usd: Union[float, None]


class BalancesAnswer(TypedDict):
    """What a trader holds now."""
    handle: str
    userId: str
    available: bool
    count: int
    holdings: List[Holding]
    totalValueUsd: Union[float, None]
    coins: Union[List[CoinHolding], None]
    complete: bool
    truncated: bool
    asOf: Union[str, None]
    otherPnl: NotRequired[Union[float, None]]
    livePerpPnl: NotRequired[Union[float, None]]
    externalVenuePerps: NotRequired[List[ExternalPerp]]
    note: Union[str, None]


class CoinHolding(TypedDict):
    """What a trader holds of a chain's own coin."""
    symbol: str
    amount: float
    priceUsd: Union[float, None]
    valueUsd: Union[float, None]
    chainId: int
    chain: str
    asOf: str


class ExternalPerp(TypedDict):
    """A perp held on another venue."""
    venue: str
    market: str
    side: Literal["long", "short"]
    sizeUsd: float
    unrealizedPnlUsd: Union[float, None]


class FollowingAnswer(TypedDict):
    """Traders that a trader follows."""
    handle: str
    userId: str
    count: int
    total: Union[int, None]
    following: List[Person]
    available: NotRequired[bool]
    truncated: bool
    sourceCapped: bool
    complete: bool
    cap: int
    partial: NotRequired[bool]
    retryable: NotRequired[bool]
    note: Union[str, None]


class Person(TypedDict):
    """A trader as lists show them: no wallets."""
    handle: str
    displayName: str
    userId: str
    avatar: Union[str, None]
    verified: bool
    clan: Union[Clan, None]
    bio: Union[str, None]
    followers: Union[int, None]
    following: Union[int, None]
    trades: int
    swapCount: int
    volumeUsd: float
    pnl24h: Union[float, None]
    twitter: Union[str, None]
    private: bool
    createdAt: str
    accountAgeDays: int


class FollowersAnswer(TypedDict):
    """A sample of a trader's followers."""
    handle: str
    userId: str
    count: int
    total: Union[int, None]
    followers: List[Person]
    available: NotRequired[bool]
    sourceCapped: bool
    cap: int
    wallets: str
    complete: bool
    truncated: bool
    note: Union[str, None]


class SpotlightAnswer(TypedDict):
    """A trader's best trades and theses."""
    handle: str
    userId: str
    bestTrades: List[SpotlightTrade]
    bestTheses: List[SpotlightTrade]
    available: NotRequired[bool]
    note: str


class SpotlightTrade(TypedDict):
    """A trade that the platform highlights."""
    tradeId: str
    token: Token
    chainId: int
    chain: str
    status: Literal["open", "closed"]
    avgEntryPrice: Union[float, None]
    avgExitPrice: Union[float, None]
    costBasisUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    unrealizedPnlUsd: Union[float, None]
    openedAt: str
    closedAt: Union[str, None]
    thesis: Union[ThesisOfTrade, None]


class ThesisOfTrade(TypedDict):
    """The written reason for one position."""
    id: str
    text: str
    likes: Union[int, None]


PnlAnswer = TypedDict("PnlAnswer", {
    "handle": "str",
    "userId": "str",
    "window": "Literal[\"24h\", \"7d\", \"30d\", \"all\"]",
    "interval": "Literal[\"1h\", \"4h\", \"1d\"]",
    "from": "str",
    "asOf": "str",
    "available": "bool",
    "pnlUsd": "float",
    "grossPnlUsd": "float",
    "feesUsd": "float",
    "platformPnlUsd": "Union[float, None]",
    "realizedUsd": "float",
    "unrealizedChangeUsd": "float",
    "volumeUsd": "float",
    "fills": "int",
    "count": "int",
    "buckets": "List[PnlBucket]",
    "byToken": "List[PnlByToken]",
    "byTokenRest": "Union[PnlRest, None]",
    "byChain": "List[PnlByChain]",
    "complete": "bool",
    "unpriced": "int",
    "source": "Literal[\"live-upstream\", \"captured\"]",
    "note": "Union[str, None]",
})


class PnlBucket(TypedDict):
    """One bucket of a profit curve."""
    t: str
    pnlUsd: float
    grossPnlUsd: float
    feesUsd: float
    equityUsd: float
    realizedUsd: float
    unrealizedUsd: float
    volumeUsd: float
    fills: int
    unpriced: int


class PnlByToken(TypedDict):
    """What one token contributed."""
    token: Token
    chainId: int
    chain: str
    pnlUsd: float
    grossPnlUsd: float
    feesUsd: float
    volumeUsd: float
    fills: int


class PnlRest(TypedDict):
    """The total of the tokens that are not listed."""
    tokens: int
    pnlUsd: float
    grossPnlUsd: float
    feesUsd: float
    volumeUsd: float
    fills: int


class PnlByChain(TypedDict):
    """What one chain contributed."""
    chainId: int
    chain: str
    pnlUsd: float
    grossPnlUsd: float
    feesUsd: float
    volumeUsd: float
    fills: int


PnlProofAnswer = TypedDict("PnlProofAnswer", {
    "handle": "str",
    "userId": "str",
    "window": "Literal[\"24h\", \"7d\", \"30d\", \"all\"]",
    "from": "str",
    "asOf": "str",
    "available": "bool",
    "pnlUsd": "float",
    "grossPnlUsd": "float",
    "feesUsd": "float",
    "realizedUsd": "float",
    "unrealizedChangeUsd": "float",
    "complete": "bool",
    "unpriced": "int",
    "source": "Literal[\"live-upstream\", \"captured\"]",
    "total": "int",
    "count": "int",
    "positions": "List[ProofPosition]",
    "nextCursor": "Union[str, None]",
    "note": "Union[str, None]",
})


class ProofPosition(TypedDict):
    """One position's profit in the window, and its parts."""
    tradeId: str
    token: Token
    chainId: int
    chain: str
    opening: ProofMark
    moves: List[ProofMove]
    closing: ProofMark
    pnlUsd: Union[float, None]
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    missing: List[Literal["cost", "proceeds", "openingMark", "closingMark", "moves", "fees"]]


class ProofMark(TypedDict):
    """The holding at one end of the window, and its value."""
    at: str
    amount: float
    costUsd: Union[float, None]
    priceUsd: Union[float, None]
    pricedAt: Union[str, None]
    priceAgeSeconds: Union[float, None]
    priceSource: Union[str, None]
    valueUsd: Union[float, None]


class ProofMove(TypedDict):
    """One move of a position."""
    at: str
    kind: Literal["buy", "sell", "receive", "send"]
    amount: float
    usd: Union[float, None]
    feesUsd: Union[float, None]
    costUsd: Union[float, None]
    gainUsd: Union[float, None]
    txHash: Union[str, None]


CopyAnswer = TypedDict("CopyAnswer", {
    "handle": "str",
    "userId": "str",
    "window": "Literal[\"24h\", \"7d\", \"30d\"]",
    "tradeId": "Union[str, None]",
    "from": "str",
    "asOf": "str",
    "logSeq": "int",
    "available": "bool",
    "terms": "CopyTerms",
    "verdict": "Literal[\"copyable\", \"fades\", \"not_copyable\", \"too_few\"]",
    "doubts": "List[Literal[\"roundTrips\", \"coverage\", \"chance\"]]",
    "low90Usd": "Union[float, None]",
    "high90Usd": "Union[float, None]",
    "leader": "CopyLeader",
    "follower": "CopyFollower",
    "bridge": "CopyBridge",
    "captured": "Union[float, None]",
    "ladder": "List[CopyRung]",
    "breakEvenDelaySeconds": "Union[int, None]",
    "capacityUsd": "Union[float, None]",
    "skipped": "List[CopySkips]",
    "coverage": "Union[CopyCoverage, None]",
    "tape": "CopyTape",
    "dead": "int",
    "leaderMovedTokens": "int",
    "perps": "int",
    "curve": "List[CopyPoint]",
    "source": "Literal[\"live-upstream\", \"captured\"]",
    "note": "Union[str, None]",
})


class CopyTerms(TypedDict):
    """How the follower copies."""
    sizeUsd: float
    capitalUsd: float
    delaySeconds: int
    exit: Literal["mirror", "firstSell"]
    botFeeBps: int
    networkFeeUsd: Union[float, None]


class CopyLeader(TypedDict):
    """The trader who is copied."""
    pnlUsd: float
    roi: Union[float, None]


class CopyFollower(TypedDict):
    """The imagined account that copies."""
    pnlUsd: float
    roi: Union[float, None]
    maxDrawdownPct: float
    winRate: Union[float, None]
    profitFactor: Union[float, None]
    sharpe: Union[float, None]
    sortino: Union[float, None]
    exposurePct: float
    orders: int
    roundTrips: int
    medianHoldSeconds: Union[float, None]


class CopyBridge(TypedDict):
    """From the leader's profit to the follower's."""
    leaderUsd: float
    skippedUsd: float
    delayUsd: float
    impactUsd: float
    feesUsd: float
    netUsd: float


class CopyRung(TypedDict):
    """The same terms at another delay."""
    delaySeconds: int
    pnlUsd: float
    roi: Union[float, None]
    tape: Union[float, None]


class CopySkips(TypedDict):
    """The leader's orders that were not copied."""
    reason: Literal["chain", "leaderSize", "leaderPriceUnknown", "notFirstBuy", "noPrice", "depth", "moved", "maxOpen", "belowMin", "capital", "afterWindow", "nothingHeld", "ownRules"]
    count: int


class CopyCoverage(TypedDict):
    """The basis of the orders' prices."""
    tape: float
    candle: float
    leader: float


class CopyTape(TypedDict):
    """The tape behind the answer."""
    ticks: int
    hours: float
    coveredHours: float
    coveredFrom: Union[str, None]
    coveredTo: Union[str, None]


class CopyPoint(TypedDict):
    """The account at one moment."""
    t: str
    pnlUsd: float


Replay = TypedDict("Replay", {
    "id": "str",
    "status": "Literal[\"running\", \"done\", \"failed\", \"cancelled\"]",
    "progressPct": "int",
    "handle": "Union[str, None]",
    "userId": "Union[str, None]",
    "leaders": "List[ReplayLeader]",
    "choices": "Union[List[ReplayChoice], None]",
    "terms": "ReplayTerms",
    "from": "str",
    "asOf": "str",
    "logSeq": "int",
    "fills": "int",
    "orders": "int",
    "creditsCharged": "int",
    "createdAt": "str",
    "answer": "Union[ReplayFigures, None]",
    "note": "Union[str, None]",
})


class ReplayLeader(TypedDict):
    """A trader who is copied."""
    handle: Union[str, None]
    userId: Union[str, None]
    fills: int


class ReplayChoiceTradersItem(TypedDict):
    handle: Union[str, None]
    userId: Union[str, None]
    pnlUsd: float


class ReplayChoice(TypedDict):
    """The leaders at a moment, by what had happened before it."""
    at: str
    traders: List[ReplayChoiceTradersItem]


class ReplayTermsCosts(TypedDict):
    networkFeeUsd: Union[float, None]
    botFeeBps: int


class ReplayTerms(TypedDict):
    """How the follower copies, with every default filled in."""
    select: Union[ReplaySelect, None]
    window: Union[Literal["24h", "7d", "30d"], None]
    capitalUsd: float
    size: ReplaySize
    delaySeconds: int
    exit: Literal["mirror", "firstSell", "rules"]
    stopLossPct: Union[float, None]
    takeProfitPct: Union[float, None]
    trailingPct: Union[float, None]
    maxHoldSeconds: Union[int, None]
    filters: ReplayFilters
    costs: ReplayTermsCosts
    copyOpen: bool


class ReplaySelect(TypedDict):
    """How leaders are chosen."""
    board: Literal["24h", "7d", "30d"]
    top: int
    every: Literal["1d", "7d"]


class ReplaySize(TypedDict):
    """How large each buy is."""
    mode: Literal["fixed", "share", "equity"]
    value: float
    minUsd: Union[float, None]
    maxUsd: Union[float, None]


class ReplayFilters(TypedDict):
    """Which buys are copied."""
    chains: Union[List[str], None]
    minLeaderUsd: Union[float, None]
    maxLeaderUsd: Union[float, None]
    firstBuyOnly: bool
    minDepthUsd: Union[float, None]
    maxMovePct: Union[float, None]
    maxOpen: Union[int, None]


class ReplayFigures(TypedDict):
    """What following would have earned, and where the difference went."""
    verdict: Literal["copyable", "fades", "not_copyable", "too_few"]
    doubts: List[Literal["roundTrips", "coverage", "chance"]]
    low90Usd: Union[float, None]
    high90Usd: Union[float, None]
    leader: CopyLeader
    follower: CopyFollower
    bridge: CopyBridge
    captured: Union[float, None]
    ladder: List[CopyRung]
    breakEvenDelaySeconds: Union[int, None]
    capacityUsd: Union[float, None]
    skipped: List[CopySkips]
    coverage: Union[CopyCoverage, None]
    tape: CopyTape
    dead: int
    leaderMovedTokens: int
    perps: int
    curve: List[CopyPoint]
    source: Literal["live-upstream", "captured"]


class ReplayOrdersAnswer(TypedDict):
    """A page of a replay's orders."""
    id: str
    count: int
    total: int
    orders: List[ReplayOrder]
    nextCursor: Union[str, None]
    complete: bool


class ReplayOrder(TypedDict):
    """One order, filled or skipped, with the basis of its price."""
    index: int
    handle: Union[str, None]
    side: Literal["buy", "sell"]
    cause: Literal["leader", "opening", "stopLoss", "takeProfit", "trailing", "maxHold"]
    tokenAddress: str
    symbol: str
    networkId: int
    chain: str
    leaderAt: Union[str, None]
    txHash: Union[str, None]
    leaderPriceUsd: Union[float, None]
    at: str
    skipped: Union[Literal["chain", "leaderSize", "leaderPriceUnknown", "notFirstBuy", "noPrice", "depth", "moved", "maxOpen", "belowMin", "capital", "afterWindow", "nothingHeld", "ownRules"], None]
    spendUsd: Union[float, None]
    share: float
    source: Union[Literal["tape", "candle", "leader"], None]
    tickAt: Union[str, None]
    priceUsd: Union[float, None]
    depthUsd: Union[float, None]
    feeShare: float
    amount: float
    usd: float
    feeUsd: float


class FollowSkippedItem(TypedDict):
    reason: Literal["chain", "leaderSize", "leaderPriceUnknown", "notFirstBuy", "noPrice", "depth", "moved", "maxOpen", "belowMin", "capital", "afterWindow", "nothingHeld", "ownRules"]
    count: int


class FollowCoverage(TypedDict):
    """Shares of the filled orders; null without any."""
    tape: float
    candle: float
    leader: float


Follow = TypedDict("Follow", {
    "id": "str",
    "status": "Literal[\"active\", \"stopped\"]",
    "waitingFor": "Union[Literal[\"credits\"], None]",
    "handle": "str",
    "userId": "str",
    "terms": "FollowTerms",
    "from": "str",
    "asOf": "str",
    "logSeq": "int",
    "pnlUsd": "float",
    "roi": "Union[float, None]",
    "cashUsd": "float",
    "orders": "int",
    "filled": "int",
    "waiting": "int",
    "roundTrips": "int",
    "winRate": "Union[float, None]",
    "skipped": "List[FollowSkippedItem]",
    "coverage": "Union[FollowCoverage, None]",
    "leaderMovedTokens": "int",
    "holdings": "List[FollowHolding]",
    "creditsCharged": "int",
    "createdAt": "str",
    "stoppedAt": "Union[str, None]",
    "note": "Union[str, None]",
})


class FollowTermsCosts(TypedDict):
    networkFeeUsd: Union[float, None]
    botFeeBps: int


class FollowTerms(TypedDict):
    """How a paper follow copies, with every default filled in."""
    capitalUsd: float
    size: ReplaySize
    delaySeconds: int
    exit: Literal["mirror", "firstSell", "rules"]
    stopLossPct: Union[float, None]
    takeProfitPct: Union[float, None]
    trailingPct: Union[float, None]
    maxHoldSeconds: Union[int, None]
    filters: ReplayFilters
    costs: FollowTermsCosts
    copyOpen: bool


class FollowHolding(TypedDict):
    """What a paper follow holds of a token."""
    tokenAddress: str
    symbol: str
    networkId: int
    chain: str
    amount: float
    costUsd: float
    valueUsd: float
    openedAt: str


class FollowsAnswer(TypedDict):
    """The account's paper follows."""
    count: int
    limit: int
    follows: List[Follow]


class FollowOrdersAnswer(TypedDict):
    """A page of a paper follow's orders."""
    id: str
    count: int
    total: int
    orders: List[PaperOrder]
    nextCursor: Union[str, None]
    complete: bool


class PaperOrder(TypedDict):
    """One order of a paper follow, filled or skipped, or a correction."""
    index: int
    side: Literal["buy", "sell"]
    cause: Literal["leader", "opening", "stopLoss", "takeProfit", "trailing", "maxHold", "retracted"]
    tokenAddress: str
    symbol: str
    networkId: int
    chain: str
    leaderAt: Union[str, None]
    txHash: Union[str, None]
    leaderPriceUsd: Union[float, None]
    at: str
    skipped: Union[Literal["chain", "leaderSize", "leaderPriceUnknown", "notFirstBuy", "noPrice", "depth", "moved", "maxOpen", "belowMin", "capital", "afterWindow", "nothingHeld", "ownRules"], None]
    spendUsd: Union[float, None]
    share: float
    source: Union[Literal["tape", "candle", "leader"], None]
    tickAt: Union[str, None]
    priceUsd: Union[float, None]
    depthUsd: Union[float, None]
    feeShare: float
    amount: float
    usd: float
    feeUsd: float
    bookedAt: str
    correction: Union[PaperCorrection, None]


class PaperCorrection(TypedDict):
    """What the account has more or less of, as if the retracted fill had never happened."""
    amount: float
    cashUsd: float


RiskAnswer = TypedDict("RiskAnswer", {
    "handle": "str",
    "userId": "str",
    "from": "str",
    "asOf": "str",
    "available": "bool",
    "counts": "RiskCounts",
    "unknown": "List[RiskUnknown]",
    "base": "Union[RiskBase, None]",
    "othersFrom": "str",
    "truncated": "bool",
    "source": "Literal[\"live-upstream\", \"captured\"]",
    "note": "Union[str, None]",
})


class RiskCounts(TypedDict):
    """Each next to its base rate."""
    quickDump: RiskCount
    soldIntoFollowers: RiskCount
    followersLeftHolding: RiskCount
    launchBlock: Union[RiskCount, None]
    sharedFunder: Union[RiskCount, None]
    roundTrips: RiskCount
    winsWhileFollowersLose: RiskCount


class RiskCount(TypedDict):
    """How often, next to how often others do it."""
    x: float
    n: float
    rate: Union[float, None]
    rateOfAll: Union[float, None]
    low90: Union[float, None]
    high90: Union[float, None]
    flagged: Union[bool, None]
    evidence: List[str]


class RiskUnknown(TypedDict):
    """A count that the platform can't give."""
    count: Literal["launchBlock", "sharedFunder"]
    reason: str


class RiskBase(TypedDict):
    """What rateOfAll rests on."""
    traders: int
    asOf: str


class TradeDetailTrader(TypedDict):
    handle: str
    userId: str


class TradeDetail(TypedDict):
    """A position with everything it is made of."""
    token: Token
    side: Literal["buy", "sell"]
    sizeUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    chainId: int
    chain: str
    ts: str
    source: Literal["captured"]
    tradeId: str
    userId: str
    status: Literal["open", "closed"]
    amount: float
    avgEntryPrice: Union[float, None]
    avgExitPrice: Union[float, None]
    unrealizedPnlUsd: Union[float, None]
    pnlUsd: Union[float, None]
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    costBasisUsd: Union[float, None]
    boughtAmount: float
    soldAmount: float
    transferredInAmount: float
    transferredOutAmount: float
    avgTransferInPrice: Union[float, None]
    avgTransferOutPrice: Union[float, None]
    priceUsd: Union[float, None]
    pricedBy: Union[Literal["stable", "native", "pool", "quote", "platform"], None]
    depthUsd: Union[float, None]
    asOf: Union[str, None]
    exact: Union[bool, None]
    createdAt: str
    closedAt: Union[str, None]
    spam: bool
    trader: TradeDetailTrader
    isDev: bool
    thesis: Union[ThesisOfTrade, None]
    swapCount: int
    transferCount: int
    swaps: List[Swap]
    transfers: List[Transfer]
    nextCursor: Union[str, None]
    complete: bool


class Transfer(TypedDict):
    """Tokens received or sent without a trade."""
    transferId: str
    direction: Literal["in", "out"]
    amount: float
    priceUsd: Union[float, None]
    valueUsd: Union[float, None]
    counterparty: Union[str, None]
    txHash: str
    at: str


class CommentsAnswer(TypedDict):
    """Comments under a trade."""
    tradeId: str
    count: int
    comments: List[Comment]
    available: NotRequired[bool]
    note: NotRequired[Union[str, None]]
    nextCursor: Union[str, None]
    complete: bool


class Comment(TypedDict):
    """What someone said under a trade."""
    id: str
    text: str
    userId: str
    handle: str
    likes: Union[int, None]
    createdAt: str
    parentId: Union[str, None]
    isReply: bool
    links: List[Link]


class Link(TypedDict):
    """A link inside a written text."""
    text: str
    link: str
    provider: Union[str, None]


class FillsAnswer(TypedDict):
    """Everybody's fills."""
    order: Literal["asc", "desc"]
    count: int
    fills: List[TraderFill]
    coveredFrom: str
    coveredTo: str
    nextCursor: Union[str, None]
    complete: bool
    note: Union[str, None]


class TraderFill(TypedDict):
    """One fill and its trader."""
    swapId: str
    side: Literal["buy", "sell"]
    chainId: int
    chain: str
    tokenIn: SwapLeg
    tokenOut: SwapLeg
    priceUsd: Union[float, None]
    pricedBy: Union[Literal["stable", "native", "pool", "quote", "platform"], None]
    depthUsd: Union[float, None]
    asOf: Union[str, None]
    exact: Union[bool, None]
    feeUsd: Union[float, None]
    txHash: str
    block: Union[int, None]
    tradeIdIn: Union[str, None]
    tradeIdOut: Union[str, None]
    at: str
    userId: str
    handle: Union[str, None]
    cursor: str


class LeaderboardAnswer(TypedDict):
    """Traders ranked by profit in a window."""
    window: Literal["24h", "7d", "30d", "all"]
    asOf: Union[str, None]
    count: int
    traders: List[LeaderboardRow]
    sort: Literal["pnl", "roi", "winRate", "volume", "trades", "followers"]
    order: Literal["desc", "asc"]
    chain: Union[str, None]
    available: NotRequired[bool]
    stale: bool
    source: Literal["live-upstream", "captured"]
    note: Union[str, None]


class LeaderboardRowWallets(TypedDict):
    solana: Union[str, None]
    evm: Union[str, None]


class LeaderboardRow(TypedDict):
    """One ranked trader."""
    rank: int
    rankChange: Union[RankChange, None]
    handle: str
    displayName: str
    pnlUsd: float
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    volumeUsd: float
    trades: int
    positions: Union[int, None]
    followers: Union[int, None]
    holdings: int
    wallets: LeaderboardRowWallets
    topTokens: List[TopToken]
    verified: bool
    userId: str
    avatar: Union[str, None]
    winRate: Union[float, None]
    roi: Union[float, None]
    bestTrade: Union[BestTrade, None]
    pending: bool


class RankChange(TypedDict):
    """How a trader's rank changed since an earlier ranking."""
    since: str
    previousRank: Union[int, None]
    places: Union[float, None]


class BestTrade(TypedDict):
    """The most profitable position of a ranked trader in the window."""
    tradeId: str
    token: Token
    chainId: int
    chain: str
    pnlUsd: float
    grossPnlUsd: Union[float, None]
    feesUsd: Union[float, None]
    roi: Union[float, None]


class CopyBoardAnswer(TypedDict):
    """Who was worth following."""
    window: Literal["24h", "7d", "30d"]
    asOf: Union[str, None]
    count: int
    terms: CopyTerms
    traders: List[CopyBoardRow]
    replayed: int
    of: int
    complete: bool
    note: Union[str, None]


class CopyBoardRow(TypedDict):
    """What following one trader would have left, under the standard terms."""
    rank: int
    handle: str
    displayName: str
    userId: str
    avatar: Union[str, None]
    asOf: str
    verdict: Literal["copyable", "fades", "not_copyable", "too_few"]
    doubts: List[Literal["roundTrips", "coverage", "chance"]]
    low90Usd: float
    high90Usd: float
    pnlUsd: float
    roi: Union[float, None]
    orders: int
    roundTrips: int
    covered: float


class BoardAnswer(TypedDict):
    """A ranked list of tokens."""
    board: Literal["trending", "most-held", "graduated"]
    capturedAt: Union[str, None]
    count: int
    tokens: List[BoardRow]
    available: NotRequired[bool]
    note: NotRequired[Union[str, None]]
    stale: bool
    ageHours: float
    source: Literal["live-upstream", "captured"]


class BoardRow(TypedDict):
    """One token on a board."""
    rank: int
    image: Union[str, None]
    token: Token
    holders: Union[int, None]
    network: int
    chainId: int
    chain: str
    priceUsd: Union[float, None]
    change24h: Union[float, None]
    marketCapUsd: Union[float, None]
    volume24hUsd: Union[float, None]


class ThesesAnswer(TypedDict):
    """Theses, newest first unless sorted otherwise."""
    count: int
    theses: List[Thesis]
    available: NotRequired[bool]
    nextCursor: Union[str, None]
    complete: bool
    note: Union[str, None]


class Thesis(TypedDict):
    """The written reason for a position."""
    id: str
    tradeId: Union[str, None]
    text: str
    handle: str
    name: str
    userId: str
    avatar: Union[str, None]
    equity: Union[float, None]
    tradeUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    unrealizedPnlUsd: Union[float, None]
    isDev: bool
    ts: str
    likes: NotRequired[int]
    replies: Union[int, None]
    links: List[Link]
    token: Token
    tokenImage: Union[str, None]
    networkId: int
    chainId: int
    chain: str


class TokenThesesAnswer(TypedDict):
    """Theses about one token."""
    address: str
    available: bool
    count: int
    theses: List[Thesis]
    pages: int
    partial: bool
    complete: bool
    source: Literal["live-upstream", "captured"]
    note: Union[str, None]


class TokenOverviewQuote(TypedDict):
    priceUsd: Union[float, None]
    change24h: Union[float, None]
    pricedBy: Union[Literal["stable", "native", "pool", "quote", "platform"], None]
    depthUsd: Union[float, None]
    asOf: str
    exact: Union[bool, None]


class TokenOverview(TypedDict):
    """A token at a glance."""
    token: Token
    networkId: int
    chainId: int
    chain: str
    quote: TokenOverviewQuote
    marketCapUsd: Union[float, None]
    supply: Union[float, None]
    volume24hUsd: Union[float, None]
    holders: Union[int, None]
    trackedHolders: int
    launchedAt: Union[str, None]
    ageDays: Union[float, None]
    graduatedAt: Union[str, None]
    deployer: Union[str, None]
    lowFees: bool
    sameTicker: List[Namesake]
    stale: bool
    source: Literal["live-upstream", "captured"]


class Namesake(TypedDict):
    """Another token with the same ticker."""
    token: Token
    chainId: int
    chain: str
    marketCapUsd: Union[float, None]


class HoldersAnswerCoverage(TypedDict):
    """How much of the crowd this list covers."""
    holders: int
    tradersCaptured: int
    tradersTracked: int


class HoldersAnswer(TypedDict):
    """Who holds a token among tracked traders, by captured positions."""
    address: str
    token: Union[Token, None]
    networkId: Union[int, None]
    chainId: Union[int, None]
    chain: Union[str, None]
    available: bool
    count: int
    holders: List[Holder]
    coverage: HoldersAnswerCoverage
    truncated: bool
    asOf: Union[str, None]
    note: Union[str, None]


class Holder(TypedDict):
    """A tracked trader who holds the token."""
    handle: str
    userId: str
    amount: float
    valueUsd: Union[float, None]
    priceUsd: Union[float, None]
    pnlUsd: Union[float, None]
    since: str
    tradeId: str


class HolderHistoryAnswerPointsItem(TypedDict):
    t: str
    holders: int


class HolderHistoryAnswer(TypedDict):
    """How many tracked traders held a token over time."""
    token: Token
    networkId: int
    chainId: int
    chain: str
    interval: Literal["1h", "1d"]
    asOf: str
    count: int
    complete: bool
    points: List[HolderHistoryAnswerPointsItem]


class DevsAnswer(TypedDict):
    """Deployer and insider positions in a token."""
    token: Token
    networkId: int
    chainId: int
    chain: str
    count: int
    devs: List[Dev]
    available: NotRequired[bool]
    note: Union[str, None]


class Dev(TypedDict):
    """A deployer's or insider's position."""
    handle: str
    userId: str
    wallet: str
    isDev: bool
    amount: float
    valueUsd: Union[float, None]
    costBasisUsd: Union[float, None]
    realizedPnlUsd: Union[float, None]
    unrealizedPnlUsd: Union[float, None]
    averageEntryPrice: Union[float, None]
    averageHoldTimeSeconds: Union[float, None]
    tradeId: Union[str, None]
    thesis: Union[str, None]


TokenStatsAnswerWindows = TypedDict("TokenStatsAnswerWindows", {
    "5m": "FlowWindow",
    "1h": "FlowWindow",
    "4h": "FlowWindow",
    "24h": "FlowWindow",
})


class TokenStatsAnswer(TypedDict):
    """A token's buys and sells."""
    token: Token
    networkId: int
    chainId: int
    chain: str
    holders: Union[int, None]
    top10HoldersPercent: Union[float, None]
    lowFees: Union[bool, None]
    windows: TokenStatsAnswerWindows
    asOf: str


class FlowWindow(TypedDict):
    """Buying and selling in one window."""
    buys: int
    sells: int
    uniqueBuyers: int
    uniqueSellers: int
    buyVolumeUsd: float
    sellVolumeUsd: float
    netVolumeUsd: float
    buySellRatio: Union[float, None]


class CandlesAnswer(TypedDict):
    """A token's prices: the platform's own candles where it has them, else from captured fills."""
    token: Token
    networkId: int
    chainId: int
    chain: str
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    count: int
    complete: bool
    coveredFrom: str
    nextCursor: Union[str, None]
    candles: List[Candle]


class Candle(TypedDict):
    """One bucket of prices."""
    t: str
    o: float
    h: float
    l: float
    c: float
    v: float
    buyV: float
    sellV: float
    trades: int
    closed: bool


class ActivityAnswer(TypedDict):
    """What tracked traders buy and sell now, from the log."""
    window: Literal["5m", "1h", "4h", "24h"]
    asOf: str
    count: int
    tokens: List[ActivityRow]
    nextCursor: Union[str, None]
    complete: bool


class ActivityRowTopTradersItem(TypedDict):
    handle: str
    userId: str
    netUsd: float


class ActivityRow(TypedDict):
    """A token that tracked traders trade now."""
    rank: int
    token: Token
    chainId: int
    chain: str
    traders: int
    buyers: int
    sellers: int
    buyUsd: float
    sellUsd: float
    netUsd: float
    firstTradeAt: str
    lastTradeAt: str
    priceUsdAtFirst: Union[float, None]
    priceUsd: Union[float, None]
    changePct: Union[float, None]
    marketCapUsdAtFirst: Union[float, None]
    marketCapUsd: Union[float, None]
    launchedAt: Union[str, None]
    topTraders: List[ActivityRowTopTradersItem]
    theses: int


class HistoryAnswer(TypedDict):
    """Closed days as files, oldest first."""
    updatedAt: Union[str, None]
    count: int
    files: List[HistoryFile]
    available: NotRequired[bool]
    truncated: bool
    note: Union[str, None]


class HistoryFile(TypedDict):
    """One table of one closed day, as a Parquet file."""
    table: Literal["fills", "theses", "traders", "positions", "candles_1m", "ticks"]
    date: str
    version: int
    path: str
    rows: int
    bytes: int
    sha256: str
    schemaVersion: int
    closedAt: str
    download: str
    credits: int
    publicUrl: Union[str, None]


class SearchAnswer(TypedDict):
    """Traders, tokens and trades that match a text."""
    q: str
    type: Literal["all", "traders", "tokens"]
    count: int
    results: List[Union[TraderResult, TokenResult, TradeResult]]
    truncated: bool


class TraderResult(TypedDict):
    """A trader who matched."""
    type: Literal["trader"]
    handle: str
    displayName: str
    userId: str
    avatar: Union[str, None]
    verified: bool
    followers: Union[int, None]


class TokenResult(TypedDict):
    """A token that matched."""
    type: Literal["token"]
    symbol: str
    address: str
    name: str
    image: Union[str, None]
    marketCapUsd: Union[float, None]
    asOf: str
    networkId: int
    chainId: int
    chain: str


class TradeResult(TypedDict):
    """A trade with a fill in the transaction that was searched for."""
    type: Literal["trade"]
    tradeId: str
    handle: Union[str, None]
    userId: str
    symbol: str
    address: str
    side: Literal["buy", "sell"]
    usd: Union[float, None]
    txHash: str
    at: str
    networkId: int
    chainId: int
    chain: str


class TokenSearchAnswer(TypedDict):
    """Tokens that match a text."""
    q: str
    count: int
    asOf: Union[str, None]
    tokens: List[TokenResult]
    results: List[TokenResult]
    truncated: bool


class AlertsAnswer(TypedDict):
    """The alert feed, newest first."""
    count: int
    alerts: List[Alert]
    nextCursor: Union[str, None]
    oldestCursor: Union[str, None]
    hasMore: bool
    retentionFrom: Union[str, None]
    delaySeconds: int
    newestTs: Union[int, None]
    oldestTs: Union[int, None]
    filters: Dict[str, Union[str, float]]


class Alert(TypedDict):
    """One event as the app showed it."""
    id: str
    seq: int
    eventId: Union[str, None]
    type: Literal["buy", "sell", "thesis", "perp", "transfer", "listing", "push"]
    alertType: Literal["buy", "sell", "thesis", "perp", "transfer", "listing", "push"]
    source: Literal["feed", "push"]
    trader: Union[str, None]
    displayName: Union[str, None]
    userId: Union[str, None]
    tradeId: Union[str, None]
    swapId: Union[str, None]
    transferId: Union[str, None]
    token: Union[str, None]
    tokenAddress: Union[str, None]
    chainId: Union[int, None]
    chain: Union[str, None]
    text: Union[str, None]
    notificationType: Union[str, None]
    ts: int
    fillUsd: NotRequired[Union[float, None]]
    tradeUsd: NotRequired[Union[float, None]]
    amount: NotRequired[Union[float, None]]
    priceUsd: NotRequired[Union[float, None]]
    txHash: NotRequired[Union[str, None]]
    execTs: NotRequired[Union[int, None]]
    fillMatch: NotRequired[Literal["onchain-exact", "onchain", "app"]]
    positionValueUsd: NotRequired[Union[float, None]]
    realizedPnlUsd: NotRequired[Union[float, None]]
    realizedPnlUsdDelta: NotRequired[Union[float, None]]
    feesUsd: NotRequired[Union[float, None]]
    usdValue: NotRequired[Union[float, None]]
    direction: NotRequired[Union[Literal["in", "out"], None]]
    valueUsd: NotRequired[Union[float, None]]
    counterparty: NotRequired[Union[str, None]]
    market: NotRequired[Union[str, None]]
    side: NotRequired[Union[Literal["long", "short"], None]]
    action: NotRequired[Union[Literal["open", "increase", "decrease", "close", "liquidate"], None]]
    leverage: NotRequired[Union[float, None]]
    sizeUsd: NotRequired[Union[float, None]]


class NotificationsAnswer(TypedDict):
    """Mobile pushes, newest first."""
    count: int
    notifications: List[Notification]
    nextCursor: Union[str, None]
    oldestCursor: Union[str, None]
    hasMore: bool
    retentionFrom: Union[str, None]
    delaySeconds: int


class Notification(TypedDict):
    """A pushed mobile notification."""
    id: str
    notification_type: Union[str, None]
    title: Union[str, None]
    text: Union[str, None]
    userId: Union[str, None]
    token: Union[str, None]
    tokenAddress: Union[str, None]
    chainId: Union[int, None]
    chain: Union[str, None]
    ts: str
    raw: Dict[str, Any]


class NewWebhookAnswer(TypedDict):
    """A webhook with its secret, shown once."""
    secret: str
    id: str
    name: Union[str, None]
    url: str
    format: Literal["json", "discord", "telegram"]
    chatId: Union[str, None]
    batch: int
    filters: Dict[str, Union[str, float]]
    paper: bool
    status: Literal["active", "paused"]
    pausedBecause: Union[Literal["owner", "gone", "failing", "operator"], None]
    waitingFor: Union[Literal["credits", "plan"], None]
    position: str
    delivered: int
    failures: int
    failingSince: Union[str, None]
    nextAttemptAt: Union[str, None]
    previousSecretUntil: Union[str, None]
    delaySeconds: int
    createdAt: str


class WebhooksAnswer(TypedDict):
    """The account's webhooks."""
    count: int
    limit: int
    webhooks: List[Webhook]


class Webhook(TypedDict):
    """An endpoint that events are posted to, without its secret."""
    id: str
    name: Union[str, None]
    url: str
    format: Literal["json", "discord", "telegram"]
    chatId: Union[str, None]
    batch: int
    filters: Dict[str, Union[str, float]]
    paper: bool
    status: Literal["active", "paused"]
    pausedBecause: Union[Literal["owner", "gone", "failing", "operator"], None]
    waitingFor: Union[Literal["credits", "plan"], None]
    position: str
    delivered: int
    failures: int
    failingSince: Union[str, None]
    nextAttemptAt: Union[str, None]
    previousSecretUntil: Union[str, None]
    delaySeconds: int
    createdAt: str


class DeletedWebhookAnswer(TypedDict):
    """A webhook that is no more."""
    id: str
    deletedAt: str


class WebhookTestAnswerDelivery(TypedDict):
    at: str
    kind: Literal["test"]
    messageId: str
    attempt: int
    events: int
    fromSeq: Union[int, None]
    toSeq: Union[int, None]
    outcome: Literal["delivered", "refused", "redirected", "gone", "timeout", "unreachable", "address_refused"]
    status: Union[int, None]
    durationMs: int
    note: Union[str, None]


class WebhookTestAnswer(TypedDict):
    """What became of a test."""
    ok: bool
    delivery: WebhookTestAnswerDelivery


class WebhookDeliveriesAnswer(TypedDict):
    """Deliveries to a webhook, newest first."""
    count: int
    deliveries: List[WebhookDelivery]
    nextCursor: Union[str, None]
    keptDays: int


class WebhookDelivery(TypedDict):
    """One request to an endpoint and its outcome."""
    at: str
    kind: Literal["events", "test"]
    messageId: str
    attempt: int
    events: int
    fromSeq: Union[int, None]
    toSeq: Union[int, None]
    outcome: Literal["delivered", "refused", "redirected", "gone", "timeout", "unreachable", "address_refused"]
    status: Union[int, None]
    durationMs: int
    note: Union[str, None]


class BatchAnswer(TypedDict):
    """Answers in the order of the requests."""
    responses: List[BatchResponse]


class BatchResponse(TypedDict):
    """The answer to one request of a batch."""
    id: Union[str, None]
    status: int
    headers: BatchHeaders
    body: Union[Dict[str, Any], str, None]


BatchHeaders = TypedDict("BatchHeaders", {
    "x-credits-cost": "str",
    "x-credits-remaining": "str",
    "x-request-id": "str",
    "ratelimit": "str",
    "ratelimit-policy": "str",
    "cache-control": "str",
    "content-type": "NotRequired[str]",
    "etag": "NotRequired[str]",
    "retry-after": "NotRequired[str]",
})


class MeAnswerKey(TypedDict):
    id: str
    name: Union[str, None]
    hint: str


class MeAnswerCredits(TypedDict):
    monthly: int
    usedThisMonth: int
    prepaid: int
    remaining: int
    resetsAt: Union[str, None]


class MeAnswerResolutions(TypedDict):
    monthly: int
    usedThisMonth: int
    remaining: int
    resetsAt: Union[str, None]


class MeAnswerRate(TypedDict):
    requestsPerMinute: int
    inFlightAtMost: int
    socketsAtOnce: int


class MeAnswerStreamsAppFeed(TypedDict):
    path: str
    included: bool
    delaySeconds: int


class MeAnswerStreamsOnChain(TypedDict):
    path: str
    included: bool


class MeAnswerStreams(TypedDict):
    appFeed: MeAnswerStreamsAppFeed
    onChain: MeAnswerStreamsOnChain


class MeAnswer(TypedDict):
    """The key's plan, balance and limits."""
    plan: Literal["free", "starter", "growth", "scale"]
    planExpiresAt: Union[str, None]
    renews: bool
    key: MeAnswerKey
    credits: MeAnswerCredits
    resolutions: MeAnswerResolutions
    rate: MeAnswerRate
    streams: MeAnswerStreams


class UsageAnswerRowsItem(TypedDict):
    group: str
    calls: int
    credits: int


UsageAnswer = TypedDict("UsageAnswer", {
    "from": "str",
    "to": "str",
    "groupBy": "Literal[\"day\", \"route\", \"key\"]",
    "count": "int",
    "totalCalls": "int",
    "totalCredits": "int",
    "rows": "List[UsageAnswerRowsItem]",
})


class KeysAnswer(TypedDict):
    """The account's keys."""
    count: int
    keys: List[ApiKey]


class ApiKey(TypedDict):
    """A key, without its secret."""
    id: str
    name: Union[str, None]
    plan: Literal["free", "starter", "growth", "scale"]
    hint: str
    monthlyCap: Union[int, None]
    usedThisMonth: int
    createdAt: str
    lastUsedAt: Union[str, None]
    expiresAt: Union[str, None]
    revokedAt: Union[str, None]


class NewKeyAnswer(TypedDict):
    """A key with its secret, shown once."""
    key: str
    id: str
    name: Union[str, None]
    plan: Literal["free", "starter", "growth", "scale"]
    hint: str
    monthlyCap: Union[int, None]
    usedThisMonth: int
    createdAt: str
    lastUsedAt: Union[str, None]
    expiresAt: Union[str, None]
    revokedAt: Union[str, None]
    replaces: Union[str, None]


class RevokedKeyAnswer(TypedDict):
    """A revoked key."""
    id: str
    revokedAt: str


class StreamTicketAnswer(TypedDict):
    """A single-use pass to a socket, so that keys stay out of URLs."""
    ticket: str
    expiresAt: str
    expiresInSeconds: int


class PaymentAsset(TypedDict):
    symbol: str
    mint: str
    decimals: int


class Payment(TypedDict):
    """A stablecoin payment and its state."""
    paymentId: str
    status: Literal["awaiting_payment", "confirming", "credited", "underpaid", "overpaid", "expired", "late"]
    plan: Literal["credits", "starter", "growth", "scale"]
    credits: int
    amount: float
    amountAtomic: str
    asset: PaymentAsset
    network: str
    recipient: str
    reference: str
    memo: str
    url: str
    createdAt: str
    expiresAt: str
    statusUrl: str
    pageUrl: str
    receivedAmount: Union[float, None]
    signature: Union[str, None]
    creditedAt: Union[str, None]
    test: bool


class PaymentsAnswer(TypedDict):
    """The account's stablecoin payments."""
    count: int
    payments: List[Payment]
    truncated: bool


class InfoAnswerRateLimit(TypedDict):
    requestsPerMinute: int
    socketsAtOnce: int
    countedPer: Literal["address", "key"]


class InfoAnswerDataset(TypedDict):
    traders: int
    tokens: int
    events: int


class InfoAnswer(TypedDict):
    """This service and the caller's access."""
    name: str
    version: str
    tier: Literal["keyless", "free", "starter", "growth", "scale"]
    rateLimit: InfoAnswerRateLimit
    simulated: bool
    dataset: InfoAnswerDataset
    endpoints: Dict[str, str]
    streams: Dict[str, str]
    docs: str
    openapi: str


class HealthAnswerChainsItem(TypedDict):
    chain: str
    behindSeconds: Union[float, None]
    reason: Union[str, None]


class HealthAnswer(TypedDict):
    """The health of the service."""
    ok: bool
    traders: int
    uptime: float
    chains: NotRequired[List[HealthAnswerChainsItem]]


class WelcomeFrame(TypedDict):
    """The first frame: what this socket gets, and the log's position."""
    type: Literal["welcome"]
    stream: Literal["alerts", "trades"]
    realtime: bool
    delaySeconds: int
    heartbeatSeconds: int
    plan: Literal["keyless", "free", "starter", "growth", "scale"]
    filter: StreamFilter
    seq: int
    epoch: str
    oldestSeq: Union[int, None]
    note: Union[str, None]


class StreamFilter(TypedDict):
    """A socket's filter; empty means everything."""
    traders: NotRequired[List[str]]
    userIds: NotRequired[List[str]]
    tokens: NotRequired[List[str]]
    chains: NotRequired[List[str]]
    types: NotRequired[List[Literal["buy", "sell", "thesis", "perp", "transfer", "listing", "push"]]]
    sources: NotRequired[List[Literal["feed", "push"]]]
    sides: NotRequired[List[Literal["buy", "sell"]]]
    minUsd: NotRequired[float]


class HeartbeatFrame(TypedDict):
    """Proof that the whole pipeline works, not only this socket."""
    type: Literal["heartbeat"]
    ts: int
    seq: int
    lastEventAt: Union[int, None]
    quietSeconds: Union[float, None]
    lagMs: Union[float, None]


class AlertFrame(TypedDict):
    """An alert; alertType is its kind, type is the frame's."""
    id: str
    seq: int
    eventId: Union[str, None]
    type: Literal["alert"]
    alertType: Literal["buy", "sell", "thesis", "perp", "transfer", "listing", "push"]
    source: Literal["feed", "push"]
    trader: Union[str, None]
    displayName: Union[str, None]
    userId: Union[str, None]
    tradeId: Union[str, None]
    swapId: Union[str, None]
    transferId: Union[str, None]
    token: Union[str, None]
    tokenAddress: Union[str, None]
    chainId: Union[int, None]
    chain: Union[str, None]
    text: Union[str, None]
    notificationType: Union[str, None]
    ts: int
    fillUsd: NotRequired[Union[float, None]]
    tradeUsd: NotRequired[Union[float, None]]
    amount: NotRequired[Union[float, None]]
    priceUsd: NotRequired[Union[float, None]]
    txHash: NotRequired[Union[str, None]]
    execTs: NotRequired[Union[int, None]]
    fillMatch: NotRequired[Literal["onchain-exact", "onchain", "app"]]
    positionValueUsd: NotRequired[Union[float, None]]
    realizedPnlUsd: NotRequired[Union[float, None]]
    realizedPnlUsdDelta: NotRequired[Union[float, None]]
    feesUsd: NotRequired[Union[float, None]]
    usdValue: NotRequired[Union[float, None]]
    direction: NotRequired[Union[Literal["in", "out"], None]]
    valueUsd: NotRequired[Union[float, None]]
    counterparty: NotRequired[Union[str, None]]
    market: NotRequired[Union[str, None]]
    side: NotRequired[Union[Literal["long", "short"], None]]
    action: NotRequired[Union[Literal["open", "increase", "decrease", "close", "liquidate"], None]]
    leverage: NotRequired[Union[float, None]]
    sizeUsd: NotRequired[Union[float, None]]
    replay: NotRequired[bool]


class TradeFrameTrader(TypedDict):
    wallet: str
    handle: Union[str, None]
    userId: Union[str, None]


class TradeFrameToken(TypedDict):
    address: str
    symbol: str
    mcap: Union[float, None]


class TradeFrame(TypedDict):
    """A tracked trader's fill, read from the chain before the app shows it."""
    type: Literal["trade"]
    id: str
    eventId: str
    seq: int
    replay: NotRequired[bool]
    tradeId: str
    swapId: str
    chain: str
    chainId: int
    side: Literal["buy", "sell"]
    userId: Union[str, None]
    trader: TradeFrameTrader
    token: TradeFrameToken
    usdValue: Union[float, None]
    amountToken: float
    priceUsd: Union[float, None]
    txHash: str
    block: Union[int, None]
    blockTs: int
    seenAt: int
    latencyMs: float
    source: Literal["onchain"]
    finality: Literal["confirmed", "finalized"]
    verified: Union[Literal["db"], Literal[False]]


class RetractFrame(TypedDict):
    """A trade, or an alert about one, that a re-org undid."""
    type: Literal["retract"]
    id: str
    eventId: str
    seq: int
    replay: NotRequired[bool]
    reason: str
    chainId: int
    chain: str
    ts: int


class PaperFrame(TypedDict):
    """An order of one of your paper follows; sent only to your own sockets that asked for it."""
    type: Literal["paper"]
    paperSeq: int
    followId: str
    handle: str
    userId: str
    order: PaperOrder


class SubscribedFrame(TypedDict):
    """The filter in effect from now on."""
    type: Literal["subscribed"]
    filter: StreamFilter
    note: Union[str, None]


class UnsubscribedFrame(TypedDict):
    """Nothing is delivered until the next subscribe."""
    type: Literal["unsubscribed"]


class PongFrame(TypedDict):
    """The answer to a ping."""
    type: Literal["pong"]
    ts: int


ResumedFrame = TypedDict("ResumedFrame", {
    "type": "Literal[\"resumed\"]",
    "from": "int",
    "to": "int",
    "count": "int",
    "complete": "bool",
})


class GapFrame(TypedDict):
    """The log no longer reaches back to the requested position."""
    type: Literal["gap"]
    fromSeq: Union[int, None]
    toSeq: Union[int, None]
    recover: str


class ReconnectFrame(TypedDict):
    """This server is shutting down: reconnect and resume."""
    type: Literal["reconnect"]
    graceMs: int


class ErrorBody(TypedDict):
    """The shape of every error."""
    error: Literal["invalid_parameter", "invalid_body", "network_required", "unauthorized", "credits_exhausted", "resolutions_exhausted", "key_cap_reached", "plan_required", "key_restricted", "origin_refused", "not_found", "unknown_filter", "method_not_allowed", "conflict", "resolving", "not_shown_yet", "payload_too_large", "answer_too_large", "range_not_satisfiable", "unsupported_media_type", "rate_limited", "internal", "upstream_timeout", "payments_not_configured", "unavailable"]
    message: str
    status: int
    retryable: bool
    requestId: str
    docs: str
    param: NotRequired[str]
    allowed: NotRequired[List[str]]
    retryAfterSeconds: NotRequired[float]
    plan: NotRequired[str]
    remaining: NotRequired[float]
    required: NotRequired[float]
    resetsAt: NotRequired[Union[str, None]]
    upgradeUrl: NotRequired[str]
    topUp: NotRequired[str]


class CreateReplaySize(TypedDict):
    mode: NotRequired[Literal["fixed", "share", "equity"]]
    value: NotRequired[float]
    minUsd: NotRequired[float]
    maxUsd: NotRequired[float]


class CreateReplayFilters(TypedDict):
    chains: NotRequired[List[str]]
    minLeaderUsd: NotRequired[float]
    maxLeaderUsd: NotRequired[float]
    firstBuyOnly: NotRequired[bool]
    minDepthUsd: NotRequired[float]
    maxMovePct: NotRequired[float]
    maxOpen: NotRequired[int]


class CreateReplayCosts(TypedDict):
    networkFeeUsd: NotRequired[float]
    botFeeBps: NotRequired[int]


class CreateReplaySelect(TypedDict):
    board: NotRequired[Literal["24h", "7d", "30d"]]
    top: NotRequired[int]
    every: NotRequired[Literal["1d", "7d"]]


class CreateFollowSize(TypedDict):
    mode: NotRequired[Literal["fixed", "share", "equity"]]
    value: NotRequired[float]
    minUsd: NotRequired[float]
    maxUsd: NotRequired[float]


class CreateFollowFilters(TypedDict):
    chains: NotRequired[List[str]]
    minLeaderUsd: NotRequired[float]
    maxLeaderUsd: NotRequired[float]
    firstBuyOnly: NotRequired[bool]
    minDepthUsd: NotRequired[float]
    maxMovePct: NotRequired[float]
    maxOpen: NotRequired[int]


class CreateFollowCosts(TypedDict):
    networkFeeUsd: NotRequired[float]
    botFeeBps: NotRequired[int]


BatchInputItemHeaders = TypedDict("BatchInputItemHeaders", {
    "if-none-match": "NotRequired[str]",
})


class BatchInputItem(TypedDict):
    path: str
    id: NotRequired[str]
    headers: NotRequired[BatchInputItemHeaders]


TradeRow = Union[Position, FeedTrade]


class Methods:
    """One method per route, named by its operation."""

    async def _ask(self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]) -> Any:
        raise NotImplementedError

    async def get_trader(self, handle: str, *, options: Optional[CallOptions] = None) -> Trader:
        """A trader by handle. Resolves a handle to the trader's Solana and EVM wallets, with profit per window, the ten largest holdings and account age. Uses one of the month's wallet resolutions. While the wallets are still being resolved it answers 409, free and retryable. 2500 credits and one wallet resolution. Finding nothing costs 250."""
        answer: Trader = await self._ask("getTrader", {"handle": handle}, options)
        return answer

    async def get_trader_by_id(self, user_id: str, *, options: Optional[CallOptions] = None) -> Trader:
        """A trader by userId. The reverse lookup: from the stable id to the person, also after a rename. Uses one of the month's wallet resolutions; an unknown id costs nothing. 10 credits and one wallet resolution. Finding nothing costs 0."""
        answer: Trader = await self._ask("getTraderById", {"userId": user_id}, options)
        return answer

    async def list_traders(self, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, sort: Optional[Literal["handle", "pnl", "volume", "lastFill"]] = None, order: Optional[Literal["desc", "asc"]] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> TradersAnswer:
        """Everybody. The whole directory, 100 traders a page, in one order at one moment: pages of a walk never miss or repeat a trader, however long it takes. Profits are those of the leaderboard and /pnl. 250 credits per page."""
        answer: TradersAnswer = await self._ask("listTraders", {"window": window, "sort": sort, "order": order, "cursor": cursor, "limit": limit}, options)
        return answer

    async def list_trades(self, handle: str, *, limit: Optional[int] = None, status: Optional[Literal["open", "closed", "all"]] = None, cursor: Optional[str] = None, deep: Optional[Union[Literal[True], int]] = None, options: Optional[CallOptions] = None) -> TradesAnswer:
        """A trader's trade history. 25 closed positions a page; the first page also carries the open ones. Chains are interleaved, so sort by `ts`. With `deep`, several times more closed positions are found, charged by the upstream calls that answered. Upstream never gives a whole history, so `complete` stays false there. `available` is false until something was captured for this trader. 250 credits per page."""
        answer: TradesAnswer = await self._ask("listTrades", {"handle": handle, "limit": limit, "status": status, "cursor": cursor, "deep": deep}, options)
        return answer

    async def list_positions(self, handle: str, *, status: Optional[Literal["open", "closed", "all"]] = None, chain: Optional[str] = None, token: Optional[str] = None, sort: Optional[Literal["recent", "pnl", "size"]] = None, spam: Optional[bool] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> PositionsAnswer:
        """A trader's positions. Every position as of one moment, filtered and sorted; their `pnlUsd` add up to the trader's all-time profit. Unsolicited tokens that have no price or use another token's name are left out; `spam=true` lists those too. Paged like trades: `cursor=start`, then `nextCursor` until it is null. 250 credits per page."""
        answer: PositionsAnswer = await self._ask("listPositions", {"handle": handle, "status": status, "chain": chain, "token": token, "sort": sort, "spam": spam, "cursor": cursor, "limit": limit}, options)
        return answer

    async def list_position_charts(self, handle: str, *, trade_ids: Optional[str] = None, options: Optional[CallOptions] = None) -> PositionChartsAnswer:
        """Positions as small charts. For up to 15 positions at once: the token's price from a little before the first move to a little after the last, at most 48 closes from the same candles as /v2/token/{address}/candles, and the trader's buys, sells and transfers on it, the first and the newest of at most 40. A position that is not this trader's is left out. Needs a plan with on-chain data. 250 credits. Needs Growth or Scale."""
        answer: PositionChartsAnswer = await self._ask("listPositionCharts", {"handle": handle, "tradeIds": trade_ids}, options)
        return answer

    async def list_swaps(self, handle: str, *, token: Optional[str] = None, token_address: Optional[str] = None, chain: Optional[str] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> SwapsAnswer:
        """A trader's fills. Every fill, newest first, 100 a page. The first call already gives `nextCursor`. 250 credits per page."""
        answer: SwapsAnswer = await self._ask("listSwaps", {"handle": handle, "token": token, "tokenAddress": token_address, "chain": chain, "cursor": cursor, "limit": limit}, options)
        return answer

    async def get_balances(self, handle: str, *, chain: Optional[str] = None, spam: Optional[bool] = None, options: Optional[CallOptions] = None) -> BalancesAnswer:
        """What a trader holds. Live holdings, largest first, without unsolicited tokens that have no price or use another token's name; `spam=true` lists those too. `available` is false when holdings can't be read and none were captured. 250 credits."""
        answer: BalancesAnswer = await self._ask("getBalances", {"handle": handle, "chain": chain, "spam": spam}, options)
        return answer

    async def list_following(self, handle: str, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> FollowingAnswer:
        """Traders that a trader follows. Walks pages of 50 names; upstream serves at most 200 names of any list, which `truncated` and `sourceCapped` say. Charged by the pages walked, and refused beforehand when the balance does not cover them. An unknown trader costs nothing. 250 credits per page. Finding nothing costs 0."""
        answer: FollowingAnswer = await self._ask("listFollowing", {"handle": handle, "limit": limit}, options)
        return answer

    async def list_followers(self, handle: str, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> FollowersAnswer:
        """A sample of a trader's followers. At most 200 names, chosen by upstream; there is no next page. An unknown trader costs nothing. 250 credits. Finding nothing costs 0."""
        answer: FollowersAnswer = await self._ask("listFollowers", {"handle": handle, "limit": limit}, options)
        return answer

    async def get_spotlight(self, handle: str, *, options: Optional[CallOptions] = None) -> SpotlightAnswer:
        """A trader's best trades and theses. Chosen by the upstream platform. An unknown trader costs nothing. 250 credits. Finding nothing costs 0."""
        answer: SpotlightAnswer = await self._ask("getSpotlight", {"handle": handle}, options)
        return answer

    async def get_pnl(self, handle: str, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, interval: Optional[Literal["1h", "4h", "1d"]] = None, options: Optional[CallOptions] = None) -> PnlAnswer:
        """A trader's profit over time. The window's profit as a curve, marked to market at the end of each bucket: realized, unrealized, volume and fills, and where it was made, by token and by chain. Computed from every move, as the leaderboard and /v2/users are at the same `asOf`; `complete` says whether everything is known. 250 credits."""
        answer: PnlAnswer = await self._ask("getPnl", {"handle": handle, "window": window, "interval": interval}, options)
        return answer

    async def get_pnl_proof(self, handle: str, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> PnlProofAnswer:
        """A trader's profit, proved. For each position of the window: its value at the start, every move with its transaction, fees and gain, its value at the end, and its net. They add up to the window's profit, on every route. 100 positions a page; all pages of a walk share one moment. 250 credits per page."""
        answer: PnlProofAnswer = await self._ask("getPnlProof", {"handle": handle, "window": window, "cursor": cursor}, options)
        return answer

    async def get_copy(self, handle: str, *, window: Optional[Literal["24h", "7d", "30d"]] = None, trade_id: Optional[str] = None, size: Optional[int] = None, capital: Optional[int] = None, delay: Optional[int] = None, exit: Optional[Literal["mirror", "firstSell"]] = None, bot_fee_bps: Optional[int] = None, options: Optional[CallOptions] = None) -> CopyAnswer:
        """What following a trader would have earned. Goes through the trader's orders and prices each as a follower would have got it: some seconds later, in the pool as it was then, with the follower's own impact, the bot's fee and the network's. `bridge` shows where the leader's profit went, to the cent; `ladder` the same at other delays; `verdict` whether the figures are conclusive. docs/replay.md explains each. 250 credits."""
        answer: CopyAnswer = await self._ask("getCopy", {"handle": handle, "window": window, "tradeId": trade_id, "size": size, "capital": capital, "delay": delay, "exit": exit, "botFeeBps": bot_fee_bps}, options)
        return answer

    async def create_replay(self, *, trader: Optional[str] = None, window: Optional[Literal["24h", "7d", "30d"]] = None, from_: Optional[str] = None, to: Optional[str] = None, capital_usd: Optional[float] = None, size: Optional[CreateReplaySize] = None, delay_seconds: Optional[int] = None, exit: Optional[Literal["mirror", "firstSell", "rules"]] = None, stop_loss_pct: Optional[float] = None, take_profit_pct: Optional[float] = None, trailing_pct: Optional[float] = None, max_hold_seconds: Optional[int] = None, filters: Optional[CreateReplayFilters] = None, costs: Optional[CreateReplayCosts] = None, copy_open: Optional[bool] = None, traders: Optional[List[str]] = None, select: Optional[CreateReplaySelect] = None, options: Optional[CallOptions] = None) -> Replay:
        """What following would have earned, under your own terms. Sizes, exits, stops, filters and costs of your choice, for one trader, for several in one account, or for those who led the leaderboard at the time (`select`); docs/replay.md explains each. Up to 5,000 of the leader's fills are answered at once if the tape is at hand; more, or a tape that takes longer, is a 202: poll the id until it is done. It is charged once, when it is done: 1,250 for each 5,000 fills begun, or as a miss when there is too little data. The same terms at the same log position give the same id, answered again for free; a replay that failed or was cancelled costs nothing and can be requested again. 1250 credits per 5,000 fills. Finding nothing costs 250."""
        answer: Replay = await self._ask("createReplay", {"trader": trader, "window": window, "from": from_, "to": to, "capitalUsd": capital_usd, "size": size, "delaySeconds": delay_seconds, "exit": exit, "stopLossPct": stop_loss_pct, "takeProfitPct": take_profit_pct, "trailingPct": trailing_pct, "maxHoldSeconds": max_hold_seconds, "filters": filters, "costs": costs, "copyOpen": copy_open, "traders": traders, "select": select}, options)
        return answer

    async def get_replay(self, replay_id: str, *, options: Optional[CallOptions] = None) -> Replay:
        """A replay of yours. Its progress, and its result once it is done. Replays are kept for 30 days, 200 per account. Free."""
        answer: Replay = await self._ask("getReplay", {"replayId": replay_id}, options)
        return answer

    async def cancel_replay(self, replay_id: str, *, options: Optional[CallOptions] = None) -> Replay:
        """Cancel a replay. A running replay is stopped and costs nothing. A finished one is unchanged. Free."""
        answer: Replay = await self._ask("cancelReplay", {"replayId": replay_id}, options)
        return answer

    async def list_replay_orders(self, replay_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> ReplayOrdersAnswer:
        """Every order of a replay. Filled and skipped, in the order of execution, 100 a page, each with its reason and the tick that it was priced by, so that anyone can recompute the total. Free."""
        answer: ReplayOrdersAnswer = await self._ask("listReplayOrders", {"replayId": replay_id, "cursor": cursor}, options)
        return answer

    async def create_follow(self, trader: str, *, capital_usd: Optional[float] = None, size: Optional[CreateFollowSize] = None, delay_seconds: Optional[int] = None, exit: Optional[Literal["mirror", "firstSell", "rules"]] = None, stop_loss_pct: Optional[float] = None, take_profit_pct: Optional[float] = None, trailing_pct: Optional[float] = None, max_hold_seconds: Optional[int] = None, filters: Optional[CreateFollowFilters] = None, costs: Optional[CreateFollowCosts] = None, copy_open: Optional[bool] = None, options: Optional[CallOptions] = None) -> Follow:
        """Follow a trader on paper. An account without money that copies the trader from now on, with the terms and the code of a replay: after a month, it has the same result as a replay of that month. It continues on its own, across restarts, without missing or repeating an order. It costs 125 credits for each 100 filled orders begun; without credits it waits, and resumes where it was once there are some. An account may have 10 active. docs/replay.md says more. Free."""
        answer: Follow = await self._ask("createFollow", {"trader": trader, "capitalUsd": capital_usd, "size": size, "delaySeconds": delay_seconds, "exit": exit, "stopLossPct": stop_loss_pct, "takeProfitPct": take_profit_pct, "trailingPct": trailing_pct, "maxHoldSeconds": max_hold_seconds, "filters": filters, "costs": costs, "copyOpen": copy_open}, options)
        return answer

    async def list_follows(self, *, options: Optional[CallOptions] = None) -> FollowsAnswer:
        """The account's paper follows. Each with its state. Stopped ones are kept for 30 days. Free."""
        answer: FollowsAnswer = await self._ask("listFollows", {}, options)
        return answer

    async def get_follow(self, follow_id: str, *, options: Optional[CallOptions] = None) -> Follow:
        """A paper follow of yours. Its holdings and profit. Holdings are valued every few minutes; asOf says when. Free."""
        answer: Follow = await self._ask("getFollow", {"followId": follow_id}, options)
        return answer

    async def stop_follow(self, follow_id: str, *, options: Optional[CallOptions] = None) -> Follow:
        """Stop a paper follow. It books nothing more, but can be read for 30 days. Stopping it again changes nothing. Free."""
        answer: Follow = await self._ask("stopFollow", {"followId": follow_id}, options)
        return answer

    async def list_follow_orders(self, follow_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> FollowOrdersAnswer:
        """Every order of a paper follow. Filled and skipped, in the order they were booked, 100 a page, each with its reason and the tick that it was priced by. A retracted fill of the trader's becomes a correction: the change to the account, as if the fill had never happened. Free."""
        answer: FollowOrdersAnswer = await self._ask("listFollowOrders", {"followId": follow_id, "cursor": cursor}, options)
        return answer

    async def get_risk(self, handle: str, *, options: Optional[CallOptions] = None) -> RiskAnswer:
        """Trading patterns that hurt followers. Counts of the last 30 days, each next to the rate over many traders, with a 90 % interval and the transactions: quick dumps, sells into others' buys, followers left holding, flat round trips, and wins on which a follower would have lost. A count is `flagged` when it is above the others' rate and unlikely to be chance. docs/replay.md explains each. 250 credits."""
        answer: RiskAnswer = await self._ask("getRisk", {"handle": handle}, options)
        return answer

    async def get_trade(self, trade_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> TradeDetail:
        """One trade in full. The position with its fills, transfers, thesis and figures. Past 200 fills or transfers, `cursor` gives the rest. 250 credits."""
        answer: TradeDetail = await self._ask("getTrade", {"tradeId": trade_id, "cursor": cursor}, options)
        return answer

    async def list_comments(self, trade_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> CommentsAnswer:
        """Comments under a trade. The comments, with `parentId` for replies. 250 credits."""
        answer: CommentsAnswer = await self._ask("listComments", {"tradeId": trade_id, "limit": limit, "cursor": cursor}, options)
        return answer

    async def list_fills(self, *, from_: Optional[str] = None, to: Optional[str] = None, order: Optional[Literal["asc", "desc"]] = None, trader: Optional[str] = None, chain: Optional[str] = None, token: Optional[str] = None, side: Optional[Literal["buy", "sell"]] = None, min_usd: Optional[float] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> FillsAnswer:
        """Everybody's fills. Every captured fill of every trader, oldest first: a day with `from` and `to`, or all newer fills with the `cursor` of your last row. A walk never skips a fill that may still arrive: it ends at `coveredTo`, some 30 seconds back, and the same cursor continues from there later. A selective filter may give a page with few or no rows and a `nextCursor`. With `format`, the same rows as NDJSON or CSV. 125 credits per page."""
        answer: FillsAnswer = await self._ask("listFills", {"from": from_, "to": to, "order": order, "trader": trader, "chain": chain, "token": token, "side": side, "minUsd": min_usd, "cursor": cursor, "limit": limit}, options)
        return answer

    async def list_fills_ndjson(self, *, from_: Optional[str] = None, to: Optional[str] = None, order: Optional[Literal["asc", "desc"]] = None, trader: Optional[str] = None, chain: Optional[str] = None, token: Optional[str] = None, side: Optional[Literal["buy", "sell"]] = None, min_usd: Optional[float] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> str:
        """Everybody's fills. Every captured fill of every trader, oldest first: a day with `from` and `to`, or all newer fills with the `cursor` of your last row. A walk never skips a fill that may still arrive: it ends at `coveredTo`, some 30 seconds back, and the same cursor continues from there later. A selective filter may give a page with few or no rows and a `nextCursor`. With `format`, the same rows as NDJSON or CSV. 125 credits per page."""
        answer: str = await self._ask("listFills", {"from": from_, "to": to, "order": order, "trader": trader, "chain": chain, "token": token, "side": side, "minUsd": min_usd, "cursor": cursor, "limit": limit, "format": "ndjson"}, options)
        return answer

    async def get_leaderboard(self, window: Literal["24h", "7d", "30d", "all"], *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["pnl", "roi", "winRate", "volume", "trades", "followers"]] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> LeaderboardAnswer:
        """Traders ranked by profit. At most 150 traders, the first in the requested order; /v2/traders has all of them. `rank` is the rank by profit, whatever the rows are sorted by, and `rankChange` shows how it changed: since the ranking an hour earlier for 24h, and a day earlier for the others, as recorded on the hour. With `chain`, everyone who traded there, ranked by their positions' profit on that chain; `note` says so where the platform can't rank a single chain. Works without a key: then it is free and limited by address. 250 credits. No key needed."""
        answer: LeaderboardAnswer = await self._ask("getLeaderboard", {"window": window, "limit": limit, "chain": chain, "sort": sort, "order": order}, options)
        return answer

    async def get_copy_leaderboard(self, window: Literal["24h", "7d", "30d"], *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> CopyBoardAnswer:
        """Who was worth following. The busiest traders of the last 30 days, each replayed under the standard terms ($100 on each buy, 5 s behind, mirror), and ranked by the lower bound of what a follower was left with: the lower end of its 90 % interval. Computed in the background, one trader at a time, and again every six hours; each row has its `asOf`. `replayed` and `of` give the progress. /v2/users/{handle}/copy has more about one trader. 250 credits."""
        answer: CopyBoardAnswer = await self._ask("getCopyLeaderboard", {"window": window, "limit": limit}, options)
        return answer

    async def get_trending_tokens(self, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> BoardAnswer:
        """Trending tokens. The tokens that the platform shows as trending now. Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age. 250 credits."""
        answer: BoardAnswer = await self._ask("getTrendingTokens", {"limit": limit}, options)
        return answer

    async def get_most_held_tokens(self, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> BoardAnswer:
        """Most-held tokens. Held by the most traders; `holders` is null on this board. Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age. 250 credits."""
        answer: BoardAnswer = await self._ask("getMostHeldTokens", {"limit": limit}, options)
        return answer

    async def get_graduated_tokens(self, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> BoardAnswer:
        """Graduated tokens. Fresh from their launch pads, typically well under a million dollars of market cap. Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age. 250 credits."""
        answer: BoardAnswer = await self._ask("getGraduatedTokens", {"limit": limit}, options)
        return answer

    async def list_theses(self, *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["recent", "likes"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> ThesesAnswer:
        """The newest theses. Across all traders and tokens, newest first. 1250 credits per page. Finding nothing costs 250."""
        answer: ThesesAnswer = await self._ask("listTheses", {"limit": limit, "chain": chain, "sort": sort, "cursor": cursor}, options)
        return answer

    async def list_token_theses(self, mint: str, *, limit: Optional[int] = None, network: Optional[str] = None, sort: Optional[Literal["likes", "recent"]] = None, pages: Optional[int] = None, options: Optional[CallOptions] = None) -> TokenThesesAnswer:
        """Theses about a token. One page holds about 95 theses. More than one page is always read live; a single page may be a captured copy. `available` is false for a token that was never captured. Charged by the pages that answered. 1250 credits per page. Finding nothing costs 250."""
        answer: TokenThesesAnswer = await self._ask("listTokenTheses", {"mint": mint, "limit": limit, "network": network, "sort": sort, "pages": pages}, options)
        return answer

    async def list_trader_theses(self, id: str, *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["likes", "recent"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> ThesesAnswer:
        """A trader's theses. All theses by one trader. 1250 credits per page. Finding nothing costs 250."""
        answer: ThesesAnswer = await self._ask("listTraderTheses", {"id": id, "limit": limit, "chain": chain, "sort": sort, "cursor": cursor}, options)
        return answer

    async def list_trader_token_theses(self, *, id: str, address: str, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> ThesesAnswer:
        """A trader's theses about a token. One trader's theses about one token. 1250 credits per page. Finding nothing costs 250."""
        answer: ThesesAnswer = await self._ask("listTraderTokenTheses", {"id": id, "address": address, "limit": limit, "cursor": cursor}, options)
        return answer

    async def get_token(self, address: str, *, network_id: Optional[int] = None, options: Optional[CallOptions] = None) -> TokenOverview:
        """A token at a glance. Its quote with its time, market cap, supply, volume, holders and age, and the tokens on any chain with the same ticker. When upstream does not answer, the last captured figures are served with `stale` and their age. 250 credits."""
        answer: TokenOverview = await self._ask("getToken", {"address": address, "networkId": network_id}, options)
        return answer

    async def list_holders(self, address: str, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> HoldersAnswer:
        """Who holds a token. Among tracked traders, by captured positions; `coverage` says how much of the crowd this covers. `available` is false for a token that was never captured. 250 credits."""
        answer: HoldersAnswer = await self._ask("listHolders", {"address": address, "limit": limit}, options)
        return answer

    async def get_holder_history(self, address: str, *, network_id: Optional[int] = None, interval: Optional[Literal["1h", "1d"]] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> HolderHistoryAnswer:
        """How many held a token. Tracked traders who held it at each whole hour or day, computed backwards from current holders using captured fills. Tokens transferred in or out count as held all along. Points before its launch, before capture started, or behind more fills than one call scans are left out. 250 credits."""
        answer: HolderHistoryAnswer = await self._ask("getHolderHistory", {"address": address, "networkId": network_id, "interval": interval, "limit": limit}, options)
        return answer

    async def list_devs(self, address: str, *, network_id: Optional[int] = None, options: Optional[CallOptions] = None) -> DevsAnswer:
        """Deployer and insider positions. An empty list means no known holding, not that the token is safe. 250 credits."""
        answer: DevsAnswer = await self._ask("listDevs", {"address": address, "networkId": network_id}, options)
        return answer

    async def get_token_stats(self, address: str, *, network_id: Optional[int] = None, options: Optional[CallOptions] = None) -> TokenStatsAnswer:
        """How a token flows. Buys, sells and volumes over 5 minutes, 1, 4 and 24 hours, with holders and concentration. 250 credits."""
        answer: TokenStatsAnswer = await self._ask("getTokenStats", {"address": address, "networkId": network_id}, options)
        return answer

    async def list_candles(self, address: str, *, network_id: Optional[int] = None, interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]] = None, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> CandlesAnswer:
        """A token's candles. The platform's own where it has them, else computed from captured fills: ascending, no bucket twice, the last one `closed:false` while it fills. Without `from`, the newest candles. Needs a plan with on-chain data. 250 credits. Needs Growth or Scale."""
        answer: CandlesAnswer = await self._ask("listCandles", {"address": address, "networkId": network_id, "interval": interval, "from": from_, "to": to, "limit": limit, "cursor": cursor}, options)
        return answer

    async def list_token_activity(self, *, window: Optional[Literal["5m", "1h", "4h", "24h"]] = None, chain: Optional[str] = None, min_traders: Optional[int] = None, side: Optional[Literal["buy", "sell"]] = None, top: Optional[int] = None, launched_within: Optional[Literal["1h", "24h", "7d", "30d"]] = None, min_market_cap_usd: Optional[float] = None, max_market_cap_usd: Optional[float] = None, sort: Optional[Literal["traders", "netUsd", "recent"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> ActivityAnswer:
        """What traders trade now. The tokens that most tracked traders are buying or selling, computed from the log. A token whose age or market cap is unknown is left out where one of them is asked for. 250 credits."""
        answer: ActivityAnswer = await self._ask("listTokenActivity", {"window": window, "chain": chain, "minTraders": min_traders, "side": side, "top": top, "launchedWithin": launched_within, "minMarketCapUsd": min_market_cap_usd, "maxMarketCapUsd": max_market_cap_usd, "sort": sort, "limit": limit, "cursor": cursor}, options)
        return answer

    async def list_history(self, *, table: Optional[Literal["fills", "theses", "traders", "positions", "candles_1m", "ticks"]] = None, from_: Optional[str] = None, to: Optional[str] = None, options: Optional[CallOptions] = None) -> HistoryAnswer:
        """Days available as files. Every closed UTC day as Parquet files: fills, theses, the traders and positions they involve, one-minute candles, and the ticks that were read for replays. A day is closed an hour after it ended. When data in it is retracted or arrives late, the day is closed again, under a higher `version`; a file never changes. Free."""
        answer: HistoryAnswer = await self._ask("listHistory", {"table": table, "from": from_, "to": to}, options)
        return answer

    async def get_history_file(self, *, table: Literal["fills", "theses", "traders", "positions", "candles_1m", "ticks"], date: str, format: Optional[Literal["json", "parquet"]] = None, options: Optional[CallOptions] = None) -> HistoryFile:
        """A day of a table as a file. With `format=parquet`, the file itself: 2,500 credits for each 100 MB begun, with `Range`, and with the file's SHA-256 as its ETag, so that you never pay twice for the same file. Without it, the file's metadata, for free. 2500 credits per 100 MB. Finding nothing costs 0."""
        answer: HistoryFile = await self._ask("getHistoryFile", {"table": table, "date": date, "format": format}, options)
        return answer

    async def search(self, q: str, *, type: Optional[Literal["traders", "tokens", "all"]] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> SearchAnswer:
        """Search traders, tokens and transactions. By prefix and by similarity, so typos still match. Best match first; each row has its `type`. A whole wallet finds its trader, and with `type=all` a transaction finds its trades once they are public, a minute after they were made. 250 credits."""
        answer: SearchAnswer = await self._ask("search", {"q": q, "type": type, "limit": limit}, options)
        return answer

    async def search_tokens(self, q: str, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> TokenSearchAnswer:
        """Search tokens. By symbol, name or address. Best match first. 250 credits."""
        answer: TokenSearchAnswer = await self._ask("searchTokens", {"q": q, "limit": limit}, options)
        return answer

    async def list_alerts(self, *, limit: Optional[int] = None, trader: Optional[str] = None, user_id: Optional[str] = None, token: Optional[str] = None, chain: Optional[str] = None, min_usd: Optional[float] = None, type: Optional[str] = None, source: Optional[str] = None, since: Optional[str] = None, cursor: Optional[str] = None, before: Optional[str] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> AlertsAnswer:
        """The alert feed. Buys, sells, theses and more as the app showed them, newest first; the REST version of /ws/alerts. Works without a key: then it is free, limited by address and 60 seconds late. With a key it is as fresh as the plan. An alert about a trade that a re-org undid is left out from then on; on /ws/alerts a `retract` names it. 125 credits. No key needed."""
        answer: AlertsAnswer = await self._ask("listAlerts", {"limit": limit, "trader": trader, "userId": user_id, "token": token, "chain": chain, "minUsd": min_usd, "type": type, "source": source, "since": since, "cursor": cursor, "before": before, "order": order}, options)
        return answer

    async def list_notifications(self, *, limit: Optional[int] = None, notification_type: Optional[str] = None, since: Optional[str] = None, cursor: Optional[str] = None, before: Optional[str] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> NotificationsAnswer:
        """Mobile pushes. What the platform pushed to phones, newest first. Some have no type; filtering by type leaves those out. 125 credits."""
        answer: NotificationsAnswer = await self._ask("listNotifications", {"limit": limit, "notificationType": notification_type, "since": since, "cursor": cursor, "before": before, "order": order}, options)
        return answer

    async def create_webhook(self, url: str, *, name: Optional[str] = None, format: Optional[Literal["json", "discord", "telegram"]] = None, chat_id: Optional[str] = None, batch: Optional[int] = None, paper: Optional[bool] = None, trader: Optional[str] = None, user_id: Optional[str] = None, token: Optional[str] = None, chain: Optional[str] = None, type: Optional[str] = None, source: Optional[str] = None, min_usd: Optional[float] = None, options: Optional[CallOptions] = None) -> NewWebhookAnswer:
        """Make a webhook. Posts every alert that matches to your endpoint, from now on, at least once and in order. The fields are the filter of /v2/alerts; with `paper` it gets your paper follows' orders instead. Requests are signed as Standard Webhooks specifies; the answer contains the secret, which is shown only once. Deliveries cost 125 credits for each 100 events; failed attempts and tests are free. An endpoint has 10 seconds to answer with a 2xx; after 3 days of failures it is paused and you get a mail. Free."""
        answer: NewWebhookAnswer = await self._ask("createWebhook", {"url": url, "name": name, "format": format, "chatId": chat_id, "batch": batch, "paper": paper, "trader": trader, "userId": user_id, "token": token, "chain": chain, "type": type, "source": source, "minUsd": min_usd}, options)
        return answer

    async def list_webhooks(self, *, options: Optional[CallOptions] = None) -> WebhooksAnswer:
        """The account's webhooks. Each with its state: its position in the log, whether it is failing, and what it is waiting for. Free."""
        answer: WebhooksAnswer = await self._ask("listWebhooks", {}, options)
        return answer

    async def get_webhook(self, webhook_id: str, *, options: Optional[CallOptions] = None) -> Webhook:
        """One webhook. Its settings and its state. Free."""
        answer: Webhook = await self._ask("getWebhook", {"webhookId": webhook_id}, options)
        return answer

    async def update_webhook(self, webhook_id: str, *, status: Optional[Literal["active", "paused"]] = None, name: Optional[str] = None, url: Optional[str] = None, options: Optional[CallOptions] = None) -> Webhook:
        """Pause, resume or change a webhook. Resuming continues where it stopped, with its failures reset; a replay from `latest` skips events in between. One that the operator stopped can't be resumed: a 409. Free."""
        answer: Webhook = await self._ask("updateWebhook", {"webhookId": webhook_id, "status": status, "name": name, "url": url}, options)
        return answer

    async def delete_webhook(self, webhook_id: str, *, options: Optional[CallOptions] = None) -> DeletedWebhookAnswer:
        """Delete a webhook. Nothing more is sent to it, and its delivery log is deleted. Free."""
        answer: DeletedWebhookAnswer = await self._ask("deleteWebhook", {"webhookId": webhook_id}, options)
        return answer

    async def rotate_webhook_secret(self, webhook_id: str, *, options: Optional[CallOptions] = None) -> NewWebhookAnswer:
        """Replace a webhook's secret. The answer contains the new secret, which is shown only once. For 24 hours deliveries carry a signature with each. Free."""
        answer: NewWebhookAnswer = await self._ask("rotateWebhookSecret", {"webhookId": webhook_id}, options)
        return answer

    async def test_webhook(self, webhook_id: str, *, options: Optional[CallOptions] = None) -> WebhookTestAnswer:
        """Send a test. Posts a signed test body at once, even to a paused webhook, and answers with the outcome. Free, and not retried. Free."""
        answer: WebhookTestAnswer = await self._ask("testWebhook", {"webhookId": webhook_id}, options)
        return answer

    async def list_webhook_deliveries(self, webhook_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> WebhookDeliveriesAnswer:
        """Deliveries to a webhook. Every attempt of the last 7 days with its status and duration, newest first. Free."""
        answer: WebhookDeliveriesAnswer = await self._ask("listWebhookDeliveries", {"webhookId": webhook_id, "limit": limit, "cursor": cursor}, options)
        return answer

    async def replay_webhook(self, *, webhook_id: str, position: str, options: Optional[CallOptions] = None) -> Webhook:
        """Continue from another position. Delivers matching events after this position, as far back as the log reaches, then continues live. Events delivered before are delivered, and charged, again. Free."""
        answer: Webhook = await self._ask("replayWebhook", {"webhookId": webhook_id, "position": position}, options)
        return answer

    async def batch(self, requests: List[BatchInputItem], *, options: Optional[CallOptions] = None) -> BatchAnswer:
        """Several reads in one round trip. Up to 25 GETs of this API that take a key. Each one is priced, limited, cached and answered as if sent alone, and one that fails does not affect the others. The batch itself costs nothing extra: its own x-credits-cost is the sum of what its requests cost. It counts as many requests a minute as it holds. An invalid batch is a free 400 that says which request is wrong; then none was run. An answer that no longer fits into the batch is a free 413 of that request. With an Idempotency-Key nothing in it is charged twice. Free."""
        answer: BatchAnswer = await self._ask("batch", {"requests": requests}, options)
        return answer

    async def get_me(self, *, options: Optional[CallOptions] = None) -> MeAnswer:
        """Plan, balance and limits. This key's permissions, remaining balance and renewal time. Free."""
        answer: MeAnswer = await self._ask("getMe", {}, options)
        return answer

    async def get_usage(self, *, from_: Optional[str] = None, to: Optional[str] = None, group_by: Optional[Literal["day", "route", "key"]] = None, options: Optional[CallOptions] = None) -> UsageAnswer:
        """What was spent. Charged calls and credits of the account, by day, operation or key. Without `from`, the last 30 days. Free."""
        answer: UsageAnswer = await self._ask("getUsage", {"from": from_, "to": to, "groupBy": group_by}, options)
        return answer

    async def get_usage_csv(self, *, from_: Optional[str] = None, to: Optional[str] = None, group_by: Optional[Literal["day", "route", "key"]] = None, options: Optional[CallOptions] = None) -> str:
        """What was spent. Charged calls and credits of the account, by day, operation or key. Without `from`, the last 30 days. Free."""
        answer: str = await self._ask("getUsage", {"from": from_, "to": to, "groupBy": group_by, "format": "csv"}, options)
        return answer

    async def list_keys(self, *, options: Optional[CallOptions] = None) -> KeysAnswer:
        """The account's keys. Without their secrets: those were shown once. Free."""
        answer: KeysAnswer = await self._ask("listKeys", {}, options)
        return answer

    async def create_key(self, *, name: Optional[str] = None, monthly_cap: Optional[int] = None, options: Optional[CallOptions] = None) -> NewKeyAnswer:
        """Make a key. Another key of the same account. The answer contains the key itself, which is shown only once. Free."""
        answer: NewKeyAnswer = await self._ask("createKey", {"name": name, "monthlyCap": monthly_cap}, options)
        return answer

    async def rotate_key(self, id: str, *, overlap_seconds: Optional[int] = None, options: Optional[CallOptions] = None) -> NewKeyAnswer:
        """Replace a key. Replaces this key with a new one. The old one keeps working for `overlapSeconds`. Free."""
        answer: NewKeyAnswer = await self._ask("rotateKey", {"id": id, "overlapSeconds": overlap_seconds}, options)
        return answer

    async def revoke_key(self, id: str, *, options: Optional[CallOptions] = None) -> RevokedKeyAnswer:
        """Revoke a key. It stops working on every node within five seconds, and its sockets close. Free."""
        answer: RevokedKeyAnswer = await self._ask("revokeKey", {"id": id}, options)
        return answer

    async def create_stream_ticket(self, *, options: Optional[CallOptions] = None) -> StreamTicketAnswer:
        """A pass to a socket. Opens one socket within 60 seconds on the key's behalf, so that the key itself stays out of URLs. Free."""
        answer: StreamTicketAnswer = await self._ask("createStreamTicket", {}, options)
        return answer

    async def create_payment(self, plan: Literal["credits", "starter", "growth", "scale"], *, amount: Optional[float] = None, options: Optional[CallOptions] = None) -> Payment:
        """Pay in a stablecoin. Prepaid credits at 40,000 a dollar, or one month of a plan that does not renew. Without payment settings it runs on the built-in chain and says `test:true`. Free."""
        answer: Payment = await self._ask("createPayment", {"plan": plan, "amount": amount}, options)
        return answer

    async def list_payments(self, *, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> PaymentsAnswer:
        """The account's payments. Stablecoin payments of this account, newest first, each with its state. Free."""
        answer: PaymentsAnswer = await self._ask("listPayments", {"limit": limit}, options)
        return answer

    async def get_payment(self, payment_id: str, *, options: Optional[CallOptions] = None) -> Payment:
        """A payment's state. Whether it was seen, confirmed and credited; short, over, late and expired payments say so. Free."""
        answer: Payment = await self._ask("getPayment", {"paymentId": payment_id}, options)
        return answer

    async def get_info(self, *, options: Optional[CallOptions] = None) -> InfoAnswer:
        """What this service is. Version, the caller's tier and rate limit, how much data there is, and every endpoint. Works without a key. Free. No key needed."""
        answer: InfoAnswer = await self._ask("getInfo", {}, options)
        return answer

    async def get_health(self, *, options: Optional[CallOptions] = None) -> HealthAnswer:
        """Whether it is well. For load balancers and monitors. Never metered. Free. No key needed."""
        answer: HealthAnswer = await self._ask("getHealth", {}, options)
        return answer


class Rows:
    """Every row of a list, page after page."""

    def _walk(self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]) -> AsyncIterator[Any]:
        raise NotImplementedError

    def list_traders(self, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, sort: Optional[Literal["handle", "pnl", "volume", "lastFill"]] = None, order: Optional[Literal["desc", "asc"]] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[DirectoryRow]:
        return self._walk("listTraders", {"window": window, "sort": sort, "order": order, "cursor": cursor, "limit": limit}, options)

    def list_trades(self, handle: str, *, limit: Optional[int] = None, status: Optional[Literal["open", "closed", "all"]] = None, cursor: Optional[str] = None, deep: Optional[Union[Literal[True], int]] = None, options: Optional[CallOptions] = None) -> AsyncIterator[TradeRow]:
        return self._walk("listTrades", {"handle": handle, "limit": limit, "status": status, "cursor": cursor, "deep": deep}, options)

    def list_positions(self, handle: str, *, status: Optional[Literal["open", "closed", "all"]] = None, chain: Optional[str] = None, token: Optional[str] = None, sort: Optional[Literal["recent", "pnl", "size"]] = None, spam: Optional[bool] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Position]:
        return self._walk("listPositions", {"handle": handle, "status": status, "chain": chain, "token": token, "sort": sort, "spam": spam, "cursor": cursor, "limit": limit}, options)

    def list_swaps(self, handle: str, *, token: Optional[str] = None, token_address: Optional[str] = None, chain: Optional[str] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Swap]:
        return self._walk("listSwaps", {"handle": handle, "token": token, "tokenAddress": token_address, "chain": chain, "cursor": cursor, "limit": limit}, options)

    def get_pnl_proof(self, handle: str, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ProofPosition]:
        return self._walk("getPnlProof", {"handle": handle, "window": window, "cursor": cursor}, options)

    def list_replay_orders(self, replay_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ReplayOrder]:
        return self._walk("listReplayOrders", {"replayId": replay_id, "cursor": cursor}, options)

    def list_follow_orders(self, follow_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[PaperOrder]:
        return self._walk("listFollowOrders", {"followId": follow_id, "cursor": cursor}, options)

    def list_comments(self, trade_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Comment]:
        return self._walk("listComments", {"tradeId": trade_id, "limit": limit, "cursor": cursor}, options)

    def list_fills(self, *, from_: Optional[str] = None, to: Optional[str] = None, order: Optional[Literal["asc", "desc"]] = None, trader: Optional[str] = None, chain: Optional[str] = None, token: Optional[str] = None, side: Optional[Literal["buy", "sell"]] = None, min_usd: Optional[float] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[TraderFill]:
        return self._walk("listFills", {"from": from_, "to": to, "order": order, "trader": trader, "chain": chain, "token": token, "side": side, "minUsd": min_usd, "cursor": cursor, "limit": limit}, options)

    def list_theses(self, *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["recent", "likes"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Thesis]:
        return self._walk("listTheses", {"limit": limit, "chain": chain, "sort": sort, "cursor": cursor}, options)

    def list_trader_theses(self, id: str, *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["likes", "recent"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Thesis]:
        return self._walk("listTraderTheses", {"id": id, "limit": limit, "chain": chain, "sort": sort, "cursor": cursor}, options)

    def list_trader_token_theses(self, *, id: str, address: str, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Thesis]:
        return self._walk("listTraderTokenTheses", {"id": id, "address": address, "limit": limit, "cursor": cursor}, options)

    def list_candles(self, address: str, *, network_id: Optional[int] = None, interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]] = None, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Candle]:
        return self._walk("listCandles", {"address": address, "networkId": network_id, "interval": interval, "from": from_, "to": to, "limit": limit, "cursor": cursor}, options)

    def list_token_activity(self, *, window: Optional[Literal["5m", "1h", "4h", "24h"]] = None, chain: Optional[str] = None, min_traders: Optional[int] = None, side: Optional[Literal["buy", "sell"]] = None, top: Optional[int] = None, launched_within: Optional[Literal["1h", "24h", "7d", "30d"]] = None, min_market_cap_usd: Optional[float] = None, max_market_cap_usd: Optional[float] = None, sort: Optional[Literal["traders", "netUsd", "recent"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ActivityRow]:
        return self._walk("listTokenActivity", {"window": window, "chain": chain, "minTraders": min_traders, "side": side, "top": top, "launchedWithin": launched_within, "minMarketCapUsd": min_market_cap_usd, "maxMarketCapUsd": max_market_cap_usd, "sort": sort, "limit": limit, "cursor": cursor}, options)

    def list_alerts(self, *, limit: Optional[int] = None, trader: Optional[str] = None, user_id: Optional[str] = None, token: Optional[str] = None, chain: Optional[str] = None, min_usd: Optional[float] = None, type: Optional[str] = None, source: Optional[str] = None, since: Optional[str] = None, cursor: Optional[str] = None, before: Optional[str] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Alert]:
        return self._walk("listAlerts", {"limit": limit, "trader": trader, "userId": user_id, "token": token, "chain": chain, "minUsd": min_usd, "type": type, "source": source, "since": since, "cursor": cursor, "before": before, "order": order}, options)

    def list_notifications(self, *, limit: Optional[int] = None, notification_type: Optional[str] = None, since: Optional[str] = None, cursor: Optional[str] = None, before: Optional[str] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> AsyncIterator[Notification]:
        return self._walk("listNotifications", {"limit": limit, "notificationType": notification_type, "since": since, "cursor": cursor, "before": before, "order": order}, options)

    def list_webhook_deliveries(self, webhook_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[WebhookDelivery]:
        return self._walk("listWebhookDeliveries", {"webhookId": webhook_id, "limit": limit, "cursor": cursor}, options)


class Pages:
    """The same walks, a page at a time."""

    def _walk(self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]) -> AsyncIterator[Any]:
        raise NotImplementedError

    def list_traders(self, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, sort: Optional[Literal["handle", "pnl", "volume", "lastFill"]] = None, order: Optional[Literal["desc", "asc"]] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[TradersAnswer]:
        return self._walk("listTraders", {"window": window, "sort": sort, "order": order, "cursor": cursor, "limit": limit}, options)

    def list_trades(self, handle: str, *, limit: Optional[int] = None, status: Optional[Literal["open", "closed", "all"]] = None, cursor: Optional[str] = None, deep: Optional[Union[Literal[True], int]] = None, options: Optional[CallOptions] = None) -> AsyncIterator[TradesAnswer]:
        return self._walk("listTrades", {"handle": handle, "limit": limit, "status": status, "cursor": cursor, "deep": deep}, options)

    def list_positions(self, handle: str, *, status: Optional[Literal["open", "closed", "all"]] = None, chain: Optional[str] = None, token: Optional[str] = None, sort: Optional[Literal["recent", "pnl", "size"]] = None, spam: Optional[bool] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[PositionsAnswer]:
        return self._walk("listPositions", {"handle": handle, "status": status, "chain": chain, "token": token, "sort": sort, "spam": spam, "cursor": cursor, "limit": limit}, options)

    def list_swaps(self, handle: str, *, token: Optional[str] = None, token_address: Optional[str] = None, chain: Optional[str] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[SwapsAnswer]:
        return self._walk("listSwaps", {"handle": handle, "token": token, "tokenAddress": token_address, "chain": chain, "cursor": cursor, "limit": limit}, options)

    def get_pnl_proof(self, handle: str, *, window: Optional[Literal["24h", "7d", "30d", "all"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[PnlProofAnswer]:
        return self._walk("getPnlProof", {"handle": handle, "window": window, "cursor": cursor}, options)

    def list_replay_orders(self, replay_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ReplayOrdersAnswer]:
        return self._walk("listReplayOrders", {"replayId": replay_id, "cursor": cursor}, options)

    def list_follow_orders(self, follow_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[FollowOrdersAnswer]:
        return self._walk("listFollowOrders", {"followId": follow_id, "cursor": cursor}, options)

    def get_trade(self, trade_id: str, *, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[TradeDetail]:
        return self._walk("getTrade", {"tradeId": trade_id, "cursor": cursor}, options)

    def list_comments(self, trade_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[CommentsAnswer]:
        return self._walk("listComments", {"tradeId": trade_id, "limit": limit, "cursor": cursor}, options)

    def list_fills(self, *, from_: Optional[str] = None, to: Optional[str] = None, order: Optional[Literal["asc", "desc"]] = None, trader: Optional[str] = None, chain: Optional[str] = None, token: Optional[str] = None, side: Optional[Literal["buy", "sell"]] = None, min_usd: Optional[float] = None, cursor: Optional[str] = None, limit: Optional[int] = None, options: Optional[CallOptions] = None) -> AsyncIterator[FillsAnswer]:
        return self._walk("listFills", {"from": from_, "to": to, "order": order, "trader": trader, "chain": chain, "token": token, "side": side, "minUsd": min_usd, "cursor": cursor, "limit": limit}, options)

    def list_theses(self, *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["recent", "likes"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ThesesAnswer]:
        return self._walk("listTheses", {"limit": limit, "chain": chain, "sort": sort, "cursor": cursor}, options)

    def list_trader_theses(self, id: str, *, limit: Optional[int] = None, chain: Optional[str] = None, sort: Optional[Literal["likes", "recent"]] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ThesesAnswer]:
        return self._walk("listTraderTheses", {"id": id, "limit": limit, "chain": chain, "sort": sort, "cursor": cursor}, options)

    def list_trader_token_theses(self, *, id: str, address: str, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ThesesAnswer]:
        return self._walk("listTraderTokenTheses", {"id": id, "address": address, "limit": limit, "cursor": cursor}, options)

    def list_candles(self, address: str, *, network_id: Optional[int] = None, interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]] = None, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[CandlesAnswer]:
        return self._walk("listCandles", {"address": address, "networkId": network_id, "interval": interval, "from": from_, "to": to, "limit": limit, "cursor": cursor}, options)

    def list_token_activity(self, *, window: Optional[Literal["5m", "1h", "4h", "24h"]] = None, chain: Optional[str] = None, min_traders: Optional[int] = None, side: Optional[Literal["buy", "sell"]] = None, top: Optional[int] = None, launched_within: Optional[Literal["1h", "24h", "7d", "30d"]] = None, min_market_cap_usd: Optional[float] = None, max_market_cap_usd: Optional[float] = None, sort: Optional[Literal["traders", "netUsd", "recent"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[ActivityAnswer]:
        return self._walk("listTokenActivity", {"window": window, "chain": chain, "minTraders": min_traders, "side": side, "top": top, "launchedWithin": launched_within, "minMarketCapUsd": min_market_cap_usd, "maxMarketCapUsd": max_market_cap_usd, "sort": sort, "limit": limit, "cursor": cursor}, options)

    def list_alerts(self, *, limit: Optional[int] = None, trader: Optional[str] = None, user_id: Optional[str] = None, token: Optional[str] = None, chain: Optional[str] = None, min_usd: Optional[float] = None, type: Optional[str] = None, source: Optional[str] = None, since: Optional[str] = None, cursor: Optional[str] = None, before: Optional[str] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> AsyncIterator[AlertsAnswer]:
        return self._walk("listAlerts", {"limit": limit, "trader": trader, "userId": user_id, "token": token, "chain": chain, "minUsd": min_usd, "type": type, "source": source, "since": since, "cursor": cursor, "before": before, "order": order}, options)

    def list_notifications(self, *, limit: Optional[int] = None, notification_type: Optional[str] = None, since: Optional[str] = None, cursor: Optional[str] = None, before: Optional[str] = None, order: Optional[Literal["desc", "asc"]] = None, options: Optional[CallOptions] = None) -> AsyncIterator[NotificationsAnswer]:
        return self._walk("listNotifications", {"limit": limit, "notificationType": notification_type, "since": since, "cursor": cursor, "before": before, "order": order}, options)

    def list_webhook_deliveries(self, webhook_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, options: Optional[CallOptions] = None) -> AsyncIterator[WebhookDeliveriesAnswer]:
        return self._walk("listWebhookDeliveries", {"webhookId": webhook_id, "limit": limit, "cursor": cursor}, options)


OPERATIONS: Dict[str, OperationRow] = {
    "getTrader": OperationRow(method="GET", path="/v2/users/{handle}", credits=2500),
    "getTraderById": OperationRow(method="GET", path="/v2/users/id/{userId}", credits=10),
    "listTraders": OperationRow(method="GET", path="/v2/traders", credits=250, walk=("traders", "cursor", "nextCursor")),
    "listTrades": OperationRow(method="GET", path="/v2/users/{handle}/trades", credits=250, walk=("trades", "cursor", "nextCursor"), units=("deep", 1, [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19], {"1":10,"true":10})),
    "listPositions": OperationRow(method="GET", path="/v2/users/{handle}/positions", credits=250, walk=("positions", "cursor", "nextCursor")),
    "listPositionCharts": OperationRow(method="GET", path="/v2/users/{handle}/positions/charts", credits=250),
    "listSwaps": OperationRow(method="GET", path="/v2/users/{handle}/swaps", credits=250, walk=("swaps", "cursor", "nextCursor")),
    "getBalances": OperationRow(method="GET", path="/v2/users/{handle}/balances", credits=250),
    "listFollowing": OperationRow(method="GET", path="/v2/users/{handle}/following", credits=250, units=("limit", 4, [50,100,150], {})),
    "listFollowers": OperationRow(method="GET", path="/v2/users/{handle}/followers", credits=250),
    "getSpotlight": OperationRow(method="GET", path="/v2/users/{handle}/spotlight", credits=250),
    "getPnl": OperationRow(method="GET", path="/v2/users/{handle}/pnl", credits=250),
    "getPnlProof": OperationRow(method="GET", path="/v2/users/{handle}/pnl/proof", credits=250, walk=("positions", "cursor", "nextCursor")),
    "getCopy": OperationRow(method="GET", path="/v2/users/{handle}/copy", credits=250),
    "createReplay": OperationRow(method="POST", path="/v2/replays", credits=1250, body=True),
    "getReplay": OperationRow(method="GET", path="/v2/replays/{replayId}", credits=0),
    "cancelReplay": OperationRow(method="DELETE", path="/v2/replays/{replayId}", credits=0),
    "listReplayOrders": OperationRow(method="GET", path="/v2/replays/{replayId}/orders", credits=0, walk=("orders", "cursor", "nextCursor")),
    "createFollow": OperationRow(method="POST", path="/v2/follows", credits=0, body=True),
    "listFollows": OperationRow(method="GET", path="/v2/follows", credits=0),
    "getFollow": OperationRow(method="GET", path="/v2/follows/{followId}", credits=0),
    "stopFollow": OperationRow(method="DELETE", path="/v2/follows/{followId}", credits=0),
    "listFollowOrders": OperationRow(method="GET", path="/v2/follows/{followId}/orders", credits=0, walk=("orders", "cursor", "nextCursor")),
    "getRisk": OperationRow(method="GET", path="/v2/users/{handle}/risk", credits=250),
    "getTrade": OperationRow(method="GET", path="/v2/trades/{tradeId}", credits=250, walk=(None, "cursor", "nextCursor")),
    "listComments": OperationRow(method="GET", path="/v2/trades/{tradeId}/comments", credits=250, walk=("comments", "cursor", "nextCursor")),
    "listFills": OperationRow(method="GET", path="/v2/fills", credits=125, walk=("fills", "cursor", "nextCursor")),
    "getLeaderboard": OperationRow(method="GET", path="/v2/leaderboard/{window}", credits=250, keyless=True),
    "getCopyLeaderboard": OperationRow(method="GET", path="/v2/leaderboard/copy/{window}", credits=250),
    "getTrendingTokens": OperationRow(method="GET", path="/v2/leaderboard/tokens/trending", credits=250),
    "getMostHeldTokens": OperationRow(method="GET", path="/v2/leaderboard/tokens/most-held", credits=250),
    "getGraduatedTokens": OperationRow(method="GET", path="/v2/leaderboard/tokens/graduated", credits=250),
    "listTheses": OperationRow(method="GET", path="/v2/thesis", credits=1250, walk=("theses", "cursor", "nextCursor")),
    "listTokenTheses": OperationRow(method="GET", path="/v2/thesis/token/{mint}", credits=1250, units=("pages", 1, [1,2,3,4,5,6,7,8,9], {})),
    "listTraderTheses": OperationRow(method="GET", path="/v2/thesis/user/{id}", credits=1250, walk=("theses", "cursor", "nextCursor")),
    "listTraderTokenTheses": OperationRow(method="GET", path="/v2/thesis/user/{id}/token/{address}", credits=1250, walk=("theses", "cursor", "nextCursor")),
    "getToken": OperationRow(method="GET", path="/v2/token/{address}", credits=250),
    "listHolders": OperationRow(method="GET", path="/token/{address}/holders", credits=250),
    "getHolderHistory": OperationRow(method="GET", path="/v2/token/{address}/holders/history", credits=250),
    "listDevs": OperationRow(method="GET", path="/v2/token/{address}/devs", credits=250),
    "getTokenStats": OperationRow(method="GET", path="/v2/token/{address}/stats", credits=250),
    "listCandles": OperationRow(method="GET", path="/v2/token/{address}/candles", credits=250, walk=("candles", "cursor", "nextCursor")),
    "listTokenActivity": OperationRow(method="GET", path="/v2/tokens/activity", credits=250, walk=("tokens", "cursor", "nextCursor")),
    "listHistory": OperationRow(method="GET", path="/v2/history", credits=0),
    "getHistoryFile": OperationRow(method="GET", path="/v2/history/{table}/{date}", credits=2500),
    "search": OperationRow(method="GET", path="/v2/search", credits=250),
    "searchTokens": OperationRow(method="GET", path="/v2/tokens/search", credits=250),
    "listAlerts": OperationRow(method="GET", path="/v2/alerts", credits=125, keyless=True, walk=("alerts", "before", "oldestCursor")),
    "listNotifications": OperationRow(method="GET", path="/v2/notifications", credits=125, walk=("notifications", "before", "oldestCursor")),
    "createWebhook": OperationRow(method="POST", path="/v2/webhooks", credits=0, body=True),
    "listWebhooks": OperationRow(method="GET", path="/v2/webhooks", credits=0),
    "getWebhook": OperationRow(method="GET", path="/v2/webhooks/{webhookId}", credits=0),
    "updateWebhook": OperationRow(method="PATCH", path="/v2/webhooks/{webhookId}", credits=0, body=True),
    "deleteWebhook": OperationRow(method="DELETE", path="/v2/webhooks/{webhookId}", credits=0),
    "rotateWebhookSecret": OperationRow(method="POST", path="/v2/webhooks/{webhookId}/rotate", credits=0),
    "testWebhook": OperationRow(method="POST", path="/v2/webhooks/{webhookId}/test", credits=0),
    "listWebhookDeliveries": OperationRow(method="GET", path="/v2/webhooks/{webhookId}/deliveries", credits=0, walk=("deliveries", "cursor", "nextCursor")),
    "replayWebhook": OperationRow(method="POST", path="/v2/webhooks/{webhookId}/replay", credits=0, body=True),
    "batch": OperationRow(method="POST", path="/v2/batch", credits=0, body=True),
    "getMe": OperationRow(method="GET", path="/v2/me", credits=0),
    "getUsage": OperationRow(method="GET", path="/v2/usage", credits=0),
    "listKeys": OperationRow(method="GET", path="/v2/keys", credits=0),
    "createKey": OperationRow(method="POST", path="/v2/keys", credits=0, body=True),
    "rotateKey": OperationRow(method="POST", path="/v2/keys/{id}/rotate", credits=0, body=True),
    "revokeKey": OperationRow(method="DELETE", path="/v2/keys/{id}", credits=0),
    "createStreamTicket": OperationRow(method="POST", path="/v2/stream-tickets", credits=0),
    "createPayment": OperationRow(method="POST", path="/pay/create", credits=0, body=True),
    "listPayments": OperationRow(method="GET", path="/v2/payments", credits=0),
    "getPayment": OperationRow(method="GET", path="/pay/{paymentId}", credits=0),
    "getInfo": OperationRow(method="GET", path="/v1", credits=0, keyless=True),
    "getHealth": OperationRow(method="GET", path="/health", credits=0, keyless=True),
}


class InvalidParameter(ApiError):
    """400: A parameter is missing, unknown, repeated or out of its range."""


class InvalidBody(ApiError):
    """400: The request body is not valid for this call."""


class NetworkRequired(ApiError):
    """400: The token is not in the directory: specify the chain with networkId."""


class Unauthorized(ApiError):
    """401: No key was sent, or the key is mistyped, unknown or revoked."""


class CreditsExhausted(ApiError):
    """402: Too few credits are left for this call."""


class ResolutionsExhausted(ApiError):
    """402: The month's wallet resolutions are used up."""


class KeyCapReached(ApiError):
    """402: This key has used up the monthly cap its owner set."""


class PlanRequired(ApiError):
    """403: The key's plan does not include this."""


class KeyRestricted(ApiError):
    """403: A key with its own cap or rate may not manage keys."""


class OriginRefused(ApiError):
    """403: This browser origin may not open streams here."""


class NotFound(ApiError):
    """404: There is no such trader, trade, token, payment, key, webhook, replay or path."""


class UnknownFilter(ApiError):
    """404: A filter names an unknown trader or token. It cost nothing."""


class MethodNotAllowed(ApiError):
    """405: The path exists, but not with this method."""


class Conflict(ApiError):
    """409: The request conflicts with an earlier one, or with the current state."""


class Resolving(ApiError):
    """409: The trader's wallets are still being resolved."""


class NotShownYet(ApiError):
    """409: The trade is on chain, but the app has not shown it yet. It cost nothing."""


class PayloadTooLarge(ApiError):
    """413: The request body is larger than this call takes."""


class AnswerTooLarge(ApiError):
    """413: This answer no longer fits into the batch: request it separately. It cost nothing."""


class RangeNotSatisfiable(ApiError):
    """416: The file has no bytes in the requested range."""


class UnsupportedMediaType(ApiError):
    """415: The body was not sent as JSON."""


class RateLimited(ApiError):
    """429: Too many requests, sockets or requests in flight."""


class Internal(ApiError):
    """500: Something broke on our side. It was logged under the request id."""


class UpstreamTimeout(ApiError):
    """503: The live read did not finish in time. It cost nothing."""


class PaymentsNotConfigured(ApiError):
    """503: This server does not accept such payments. It cost nothing."""


class Unavailable(ApiError):
    """503: The service can't answer right now. It cost nothing."""


ERRORS: Dict[str, type[ApiError]] = {
    "invalid_parameter": InvalidParameter,
    "invalid_body": InvalidBody,
    "network_required": NetworkRequired,
    "unauthorized": Unauthorized,
    "credits_exhausted": CreditsExhausted,
    "resolutions_exhausted": ResolutionsExhausted,
    "key_cap_reached": KeyCapReached,
    "plan_required": PlanRequired,
    "key_restricted": KeyRestricted,
    "origin_refused": OriginRefused,
    "not_found": NotFound,
    "unknown_filter": UnknownFilter,
    "method_not_allowed": MethodNotAllowed,
    "conflict": Conflict,
    "resolving": Resolving,
    "not_shown_yet": NotShownYet,
    "payload_too_large": PayloadTooLarge,
    "answer_too_large": AnswerTooLarge,
    "range_not_satisfiable": RangeNotSatisfiable,
    "unsupported_media_type": UnsupportedMediaType,
    "rate_limited": RateLimited,
    "internal": Internal,
    "upstream_timeout": UpstreamTimeout,
    "payments_not_configured": PaymentsNotConfigured,
    "unavailable": Unavailable,
}


class AlertsFilter(TypedDict, total=False):
    """What to follow on /ws/alerts; nothing is everything."""
    trader: Union[str, int, Sequence[Union[str, int]]]
    user_id: Union[str, int, Sequence[Union[str, int]]]
    token: Union[str, int, Sequence[Union[str, int]]]
    chain: Union[str, int, Sequence[Union[str, int]]]
    min_usd: float
    type: Union[str, int, Sequence[Union[str, int]]]
    source: Union[str, int, Sequence[Union[str, int]]]
    paper: Union[str, int, Sequence[Union[str, int]]]


class TradesFilter(TypedDict, total=False):
    """What to follow on /ws/trades; nothing is everything."""
    trader: Union[str, int, Sequence[Union[str, int]]]
    user_id: Union[str, int, Sequence[Union[str, int]]]
    token: Union[str, int, Sequence[Union[str, int]]]
    chain: Union[str, int, Sequence[Union[str, int]]]
    min_usd: float
    side: Union[str, int, Sequence[Union[str, int]]]
    finality: bool


STREAM_PATHS: Dict[str, str] = {"alerts": "/ws/alerts", "trades": "/ws/trades"}
STREAM_FIELDS: Dict[str, str] = {"key":"key","ticket":"ticket","resume":"resume","notices":"notices","trader":"trader","user_id":"userId","token":"token","chain":"chain","min_usd":"minUsd","type":"type","source":"source","paper":"paper","side":"side","finality":"finality"}
# The name of each close code, and whether connecting again can help.
CLOSE_CODES: Dict[int, Tuple[str, bool]] = {
    1001: ("going_away", True),
    1009: ("too_big", False),
    4001: ("key_revoked", False),
    4003: ("plan_changed", True),
    4004: ("bad_message", False),
    4008: ("slow_reader", True),
    4029: ("too_many_messages", True),
}
HEARTBEAT_SECONDS = 20
