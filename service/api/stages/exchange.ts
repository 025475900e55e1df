// One request on its way through the stages, and the route that it is for. Each stage notes here what it found out, and the
// later ones read it.
import type { AnyRoute } from "../../../contract/route.ts";
import { freshRequestId } from "../../../kit/ids.ts";
import type { Kit } from "../../../kit/kit.ts";
import type { Lru } from "../../../kit/lru.ts";
import type { Access, Address, Admission, Caller, ChargeReceipt, RateStanding } from "../../access/access.ts";
import type { Inside, RouteAnswer, RouteCall } from "../answer.ts";
import type { ByteCache, Packed } from "../byte-cache.ts";
import type { FilePart } from "../ranges.ts";
import type { Headers, ReplyFacts } from "../respond.ts";

export type RouteInput = { params: never; query: never; body: never };
export type AnyHandler = (input: RouteInput, call: RouteCall) => Promise<RouteAnswer<unknown>>;

export interface ReadInput {
  input: RouteInput;
  /** Names the route and its whole input. */
  key: string;
  units: number;
  /** The body as it was sent. */
  text: string;
}

/** A route with all that its requests have in common. */
export interface ServedRoute extends Pick<Kit, "clock" | "log"> {
  route: AnyRoute;
  handle: AnyHandler;
  access: Access;
  cache: ByteCache;
  /** Inputs by their whole URL. */
  parsed: Lru<string, ReadInput>;
  deadlineMs: number;
  count(status: number, seconds: number): void;
}

/** A class with every field from the start, so that all exchanges have one shape. */
export class Exchange implements ReplyFacts {
  readonly requestId = freshRequestId();
  readonly startedAt = performance.now();
  cost = 0;
  remaining: number | null = null;
  extra: Headers | null = null;
  /** Noted by `identify`. */
  caller!: Caller;
  /** Noted by `pace`; null until then. */
  rate: RateStanding | null = null;
  /** Noted by `read`. */
  read!: ReadInput;
  /** Noted by `admit`; null until then. */
  admission: Admission | null = null;
  /** Noted by `answer`. */
  packed!: Packed;
  /** Noted by `charge`: the caller has this very answer already. */
  isUnchanged = false;
  /** Noted by `charge`, of a file only: what of it is sent. */
  part: FilePart | null = null;

  constructor(
    readonly served: ServedRoute,
    readonly request: Request,
    readonly params: () => Record<string, string>,
    readonly address: Address,
    /** Only of a request that came inside another one. */
    readonly inside: Inside | null,
  ) {}

  paid(receipt: ChargeReceipt): void {
    this.cost += receipt.cost;
    this.remaining = receipt.remaining;
  }

  /** Every exchange ends here, once: it gives its place back and is counted. */
  close(response: Response): Response {
    this.admission?.release();
    this.served.count(response.status, (performance.now() - this.startedAt) / 1_000);
    return response;
  }
}
