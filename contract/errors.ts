// Errors: one closed list of codes, each with its status and whether a retry can help. Code that refuses a request
// throws `fault(code, sentence)`; the edge turns it into the one error shape, and the sentence is public.
import { z } from "zod";

const code = (status: number, retryable: boolean, meaning: string) =>
  ({ status, retryable, meaning }) as const;

export const ERROR_CODES = {
  invalid_parameter: code(400, false, "A parameter is missing, unknown, repeated or out of its range."),
  invalid_body: code(400, false, "The request body is not valid for this call."),
  network_required: code(400, false, "The token is not in the directory: specify the chain with networkId."),
  unauthorized: code(401, false, "No key was sent, or the key is mistyped, unknown or revoked."),
  credits_exhausted: code(402, false, "Too few credits are left for this call."),
  resolutions_exhausted: code(402, false, "The month's wallet resolutions are used up."),
  key_cap_reached: code(402, false, "This key has used up the monthly cap its owner set."),
  plan_required: code(403, false, "The key's plan does not include this."),
  key_restricted: code(403, false, "A key with its own cap or rate may not manage keys."),
  origin_refused: code(403, false, "This browser origin may not open streams here."),
  not_found: code(
    404,
    false,
    "There is no such trader, trade, token, payment, key, webhook, replay or path.",
  ),
  unknown_filter: code(404, false, "A filter names an unknown trader or token. It cost nothing."),
  method_not_allowed: code(405, false, "The path exists, but not with this method."),
  conflict: code(409, false, "The request conflicts with an earlier one, or with the current state."),
  resolving: code(409, true, "The trader's wallets are still being resolved."),
  not_shown_yet: code(409, true, "The trade is on chain, but the app has not shown it yet. It cost nothing."),
  payload_too_large: code(413, false, "The request body is larger than this call takes."),
  answer_too_large: code(
    413,
    false,
    "This answer no longer fits into the batch: request it separately. It cost nothing.",
  ),
  range_not_satisfiable: code(416, false, "The file has no bytes in the requested range."),
  unsupported_media_type: code(415, false, "The body was not sent as JSON."),
  rate_limited: code(429, true, "Too many requests, sockets or requests in flight."),
  internal: code(500, true, "Something broke on our side. It was logged under the request id."),
  upstream_timeout: code(503, true, "The live read did not finish in time. It cost nothing."),
  payments_not_configured: code(503, false, "This server does not accept such payments. It cost nothing."),
  unavailable: code(503, true, "The service can't answer right now. It cost nothing."),
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
export const ERROR_CODE_NAMES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Where each code is explained, on the docs page that the service itself serves. */
export const errorDocs = (name: ErrorCode): string => `/docs#error-${name}`;

export const ErrorBody = z
  .object({
    error: z.enum(ERROR_CODE_NAMES),
    message: z.string(),
    status: z.int(),
    retryable: z.boolean(),
    requestId: z.string(),
    docs: z.string(),
    param: z.string().optional(),
    allowed: z.array(z.string()).optional(),
    retryAfterSeconds: z.number().optional(),
    plan: z.string().optional(),
    remaining: z.number().optional(),
    required: z.number().optional(),
    resetsAt: z.string().nullable().optional(),
    upgradeUrl: z.string().optional(),
    topUp: z.string().optional(),
  })
  .meta({ id: "Error", description: "The shape of every error." });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The optional fields of an error beyond its sentence. */
export type FaultDetails = Partial<
  Pick<
    ErrorBody,
    | "param"
    | "allowed"
    | "retryAfterSeconds"
    | "plan"
    | "remaining"
    | "required"
    | "resetsAt"
    | "upgradeUrl"
    | "topUp"
  >
>;

export class Fault extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: FaultDetails = {},
  ) {
    super(message);
    this.name = "Fault";
  }
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

export function fault(code: ErrorCode, message: string, details?: FaultDetails): Fault {
  return new Fault(code, message, details);
}

export function errorBody(error: Fault, requestId: string): ErrorBody {
  const { status, retryable } = ERROR_CODES[error.code];
  return {
    error: error.code,
    message: error.message,
    status,
    ...error.details,
    retryable,
    requestId,
    docs: errorDocs(error.code),
  };
}
