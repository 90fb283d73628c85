import { Type } from './type.ts';

/** Every error code that `/v0.1` sends, with its status. */
export const errorStatuses = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  LengthRequired: 411,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  TooManyRequests: 429,
  HeadersTooLarge: 431,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export type ErrorStatus = (typeof errorStatuses)[ErrorCode];

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(errorStatuses) as ErrorCode[], { description: 'Stable; made for programs.' }),
      message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
    }),
  },
  { $id: 'Error', description: 'Every error of /v0.1 has this shape. The header x-request-id names the request.' },
);

/** The same for operations whose clients were told that the code is a number. */
export const NumberedErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The status of the answer.' }),
      message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
    }),
  },
  { $id: 'NumberedError', description: 'The shape of errors of most operations of analytics.' },
);

/** The same without a wrapping, for releases. */
export const FlatErrorBody = Type.Object(
  {
    code: Type.String({ description: 'Stable; made for programs. SDKs look for no_releases_for_user and not_found.' }),
    message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
  },
  { $id: 'FlatError', description: 'The shape of errors of releases and in-app updates.' },
);

/** The same for webhooks and settings of mails, with the request. */
export const TracedErrorBody = Type.Object(
  {
    request_id: Type.String(),
    code: Type.Integer({ description: 'The status of the answer.' }),
    message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
  },
  { $id: 'TracedError', description: 'The shape of errors of webhooks, settings of mails and bug trackers.' },
);

/** The same with the id of the request, for builds. */
export const IdentifiedErrorBody = Type.Object(
  {
    id: Type.String({ description: 'Of the request.' }),
    code: Type.String({ description: 'Stable; made for programs.' }),
    message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
  },
  { $id: 'IdentifiedError', description: 'The shape of errors of builds.' },
);

/** The same for sets of devices and series of tests. */
export const StatedErrorBody = Type.Object(
  {
    status: Type.String({ description: 'The code: stable, made for programs.' }),
    message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
  },
  { $id: 'StatedError', description: 'The shape of errors of sets of devices and series of tests.' },
);

/** Every error code that the health API sends, with its status: those of the API that its clients were made for. */
export const healthErrorStatuses = {
  BadRequest: 400,
  MissingApiVersionParameter: 400,
  InvalidApiVersionParameter: 400,
  InvalidSubscriptionId: 400,
  InvalidFilterInQueryString: 400,
  InvalidQueryStartTime: 400,
  InvalidSkipToken: 400,
  AuthenticationFailed: 401,
  InvalidAuthenticationToken: 401,
  ExpiredAuthenticationToken: 401,
  InvalidAuthenticationTokenAudience: 401,
  InvalidAuthenticationTokenTenant: 401,
  AuthorizationFailed: 403,
  ResourceNotFound: 404,
  SubscriptionNotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  LengthRequired: 411,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  TooManyRequests: 429,
  HeadersTooLarge: 431,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const;

export type HealthErrorCode = keyof typeof healthErrorStatuses;
export type HealthErrorStatus = (typeof healthErrorStatuses)[HealthErrorCode];

export const HealthErrorBody = Type.Object(
  {
    code: Type.Enum(Object.keys(healthErrorStatuses) as HealthErrorCode[], {
      description: 'Stable; made for programs.',
    }),
    message: Type.String({ description: 'What is wrong and what would be right; made for people.' }),
    details: Type.String({ description: 'More about it; at least the id of the request.' }),
  },
  { $id: 'ErrorResponse', description: 'Every error of the health API has this shape.' },
);

export const OauthErrorBody = Type.Object(
  {
    error: Type.String({ description: 'As RFC 6749 has it, such as invalid_grant.' }),
    error_description: Type.String({ description: 'What is wrong; made for people.' }),
  },
  { $id: 'OauthError', description: 'Errors of the token endpoint have this shape.' },
);

export const errorMeanings: Record<ErrorStatus | HealthErrorStatus, string> = {
  400: 'Something in the request is not understood; the message names it.',
  401: 'No credential, or one that is unknown, malformed, revoked or expired.',
  403: 'The caller may see this, but not do it.',
  404: 'It does not exist, or the caller may not see it.',
  405: 'The path exists, but not with this method; see the Allow header.',
  408: 'The request took too long to arrive.',
  409: 'The change contradicts what is there; nothing was changed.',
  410: 'This API has been retired by its operator.',
  411: 'POST, PUT and PATCH need a body; send {} for an empty one.',
  412: 'It has changed since it was read; read it again.',
  413: 'The body is larger than the server takes.',
  415: 'The body is of a type that this operation does not take; most take JSON only.',
  416: 'The range that was asked for lies outside of the file.',
  429: 'Too many requests; Retry-After says when to come back.',
  431: 'The headers are larger than the server takes.',
  500: 'A fault of the server; quote the request id when you report it.',
  503: 'The server cannot answer just now; try again.',
};
