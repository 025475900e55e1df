// Written by `npm run client:types` from the contract. Do not edit: client/generate/ is where it comes from.
import { ApiError } from "./api-error.ts";
import type { ErrorBody } from "./generated.ts";

/** 400: A parameter is missing, unknown, repeated or out of its range. */
export class InvalidParameter extends ApiError {}
/** 400: The request body is not valid for this call. */
export class InvalidBody extends ApiError {}
/** 400: The token is not in the directory: specify the chain with networkId. */
export class NetworkRequired extends ApiError {}
/** 401: No key was sent, or the key is mistyped, unknown or revoked. */
export class Unauthorized extends ApiError {}
/** 402: Too few credits are left for this call. */
export class CreditsExhausted extends ApiError {}
/** 402: The month's wallet resolutions are used up. */
export class ResolutionsExhausted extends ApiError {}
/** 402: This key has used up the monthly cap its owner set. */
export class KeyCapReached extends ApiError {}
/** 403: The key's plan does not include this. */
export class PlanRequired extends ApiError {}
/** 403: A key with its own cap or rate may not manage keys. */
export class KeyRestricted extends ApiError {}
/** 403: This browser origin may not open streams here. */
export class OriginRefused extends ApiError {}
/** 404: There is no such trader, trade, token, payment, key, webhook, replay or path. */
export class NotFound extends ApiError {}
/** 404: A filter names an unknown trader or token. It cost nothing. */
export class UnknownFilter extends ApiError {}
/** 405: The path exists, but not with this method. */
export class MethodNotAllowed extends ApiError {}
/** 409: The request conflicts with an earlier one, or with the current state. */
export class Conflict extends ApiError {}
/** 409: The trader's wallets are still being resolved. */
export class Resolving extends ApiError {}
/** 409: The trade is on chain, but the app has not shown it yet. It cost nothing. */
export class NotShownYet extends ApiError {}
/** 413: The request body is larger than this call takes. */
export class PayloadTooLarge extends ApiError {}
/** 413: This answer no longer fits into the batch: request it separately. It cost nothing. */
export class AnswerTooLarge extends ApiError {}
/** 416: The file has no bytes in the requested range. */
export class RangeNotSatisfiable extends ApiError {}
/** 415: The body was not sent as JSON. */
export class UnsupportedMediaType extends ApiError {}
/** 429: Too many requests, sockets or requests in flight. */
export class RateLimited extends ApiError {}
/** 500: Something broke on our side. It was logged under the request id. */
export class Internal extends ApiError {}
/** 503: The live read did not finish in time. It cost nothing. */
export class UpstreamTimeout extends ApiError {}
/** 503: This server does not accept such payments. It cost nothing. */
export class PaymentsNotConfigured extends ApiError {}
/** 503: The service can't answer right now. It cost nothing. */
export class Unavailable extends ApiError {}

export const ERRORS: Record<ErrorBody["error"], typeof ApiError> = {
  invalid_parameter: InvalidParameter,
  invalid_body: InvalidBody,
  network_required: NetworkRequired,
  unauthorized: Unauthorized,
  credits_exhausted: CreditsExhausted,
  resolutions_exhausted: ResolutionsExhausted,
  key_cap_reached: KeyCapReached,
  plan_required: PlanRequired,
  key_restricted: KeyRestricted,
  origin_refused: OriginRefused,
  not_found: NotFound,
  unknown_filter: UnknownFilter,
  method_not_allowed: MethodNotAllowed,
  conflict: Conflict,
  resolving: Resolving,
  not_shown_yet: NotShownYet,
  payload_too_large: PayloadTooLarge,
  answer_too_large: AnswerTooLarge,
  range_not_satisfiable: RangeNotSatisfiable,
  unsupported_media_type: UnsupportedMediaType,
  rate_limited: RateLimited,
  internal: Internal,
  upstream_timeout: UpstreamTimeout,
  payments_not_configured: PaymentsNotConfigured,
  unavailable: Unavailable,
};
