// One request on its way through the stages, and its route. Each stage records its results here, and the later ones read
// them.
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
  /** Identifies the route and its whole input. */
  key: string;
  units: number;
  /** The raw body. */
  text: string;
}

/** A route with everything its requests share. */
export interface ServedRoute extends Pick<Kit, "clock" | "log"> {
  route: AnyRoute;
  handle: AnyHandler;
  access: Access;
  cache: ByteCache;
  /** Parsed inputs by full URL. */
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
  /** Set by `identify`. */
  caller!: Caller;
  /** Set by `pace`; null until then. */
  rate: RateStanding | null = null;
  /** Set by `read`. */
  read!: ReadInput;
  /** Set by `admit`; null until then. */
  admission: Admission | null = null;
  /** Set by `answer`. */
  packed!: Packed;
  /** Set by `charge`: the caller already has this exact answer. */
  isUnchanged = false;
  /** Set by `charge`, for files only: the range to send. */
  part: FilePart | null = null;

  constructor(
    readonly served: ServedRoute,
    readonly request: Request,
    readonly params: () => Record<string, string>,
    readonly address: Address,
    /** Only for a request inside another one. */
    readonly inside: Inside | null,
  ) {}

  paid(receipt: ChargeReceipt): void {
    this.cost += receipt.cost;
    this.remaining = receipt.remaining;
  }

  /** Every exchange ends here, once: it releases its admission and is counted. */
  close(response: Response): Response {
    this.admission?.release();
    this.served.count(response.status, (performance.now() - this.startedAt) / 1_000);
    return response;
  }
}
