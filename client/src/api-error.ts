// All errors, as classes: refusals by the service (one class per code, in generated.ts), and errors detected by the client
// itself. None of them contains a key.
import type { ErrorBody } from "./generated.ts";

/** Any error that this client throws on purpose. */
export class CrowdtapeError extends Error {
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}

/** A refusal by the service. `code` is from its closed list, `message` is its own sentence. */
export class ApiError extends CrowdtapeError {
  readonly code: ErrorBody["error"];
  readonly status: number;
  /** Whether the same call can succeed later. */
  readonly retryable: boolean;
  readonly requestId: string;
  /** The invalid parameter, and the values it accepts. */
  readonly param: string | null;
  readonly allowed: readonly string[] | null;
  /** How long to wait; from the body or the Retry-After header. */
  readonly retryAfterSeconds: number | null;
  /** When the month's credits renew. */
  readonly resetsAt: Date | null;
  /** Credits left, and the call's price. */
  readonly remaining: number | null;
  readonly required: number | null;
  readonly plan: string | null;

  constructor(
    readonly body: ErrorBody,
    /** The cost of the refusal: 0, except for a lookup that found nothing. */
    readonly cost: number,
    retryAfterSeconds: number | null,
  ) {
    super(
      body.error.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
      `${body.message} (${body.error}, ${body.requestId})`,
    );
    this.code = body.error;
    this.status = body.status;
    this.retryable = body.retryable;
    this.requestId = body.requestId;
    this.param = body.param ?? null;
    this.allowed = body.allowed ?? null;
    this.retryAfterSeconds = body.retryAfterSeconds ?? retryAfterSeconds;
    this.resetsAt = body.resetsAt ? new Date(body.resetsAt) : null;
    this.remaining = body.remaining ?? null;
    this.required = body.required ?? null;
    this.plan = body.plan ?? null;
  }
}

/** No response, or not one from this service. Whether the request was charged is unknown. */
export class ConnectionFailed extends CrowdtapeError {
  constructor(
    message: string,
    /** The status of a gateway that answered instead; null when there was none. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super("ConnectionFailed", message, options);
  }
}

/** The call was not made: it could have exceeded `maxCredits`. */
export class BudgetExceeded extends CrowdtapeError {
  constructor(
    readonly spent: number,
    readonly required: number,
    readonly maxCredits: number,
  ) {
    super(
      "BudgetExceeded",
      `This call may cost ${required} credits; ${spent} of at most ${maxCredits} are spent or promised to calls under way.`,
    );
  }
}

/** A stream ended for a reason that reconnecting can't fix. */
export class StreamClosed extends CrowdtapeError {
  constructor(
    readonly closeCode: number,
    readonly reason: string,
    message: string,
  ) {
    super("StreamClosed", message);
  }
}

/** The reader of a stream fell behind, and its policy is to fail. */
export class BufferOverflow extends CrowdtapeError {
  constructor(max: number) {
    super("BufferOverflow", `${max} items wait to be read. Read faster, or choose another policy.`);
  }
}
