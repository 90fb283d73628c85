import { Type } from './type.ts';

/** All error codes of `/v0.1`, with their status. */
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
      code: Type.Enum(Object.keys(errorStatuses) as ErrorCode[], { description: 'A stable code for programs.' }),
      message: Type.String({ description: 'The problem and how to fix it, for people.' }),
      target: Type.Optional(Type.String({ description: 'The field that a conflict is about, such as name or email.' })),
    }),
  },
  { $id: 'Error', description: 'The format of errors of /v0.1. The header x-request-id identifies the request.' },
);

/** Errors of operations whose clients expect a number as code. */
export const NumberedErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The status of the response.' }),
      message: Type.String({ description: 'The problem and how to fix it, for people.' }),
    }),
  },
  { $id: 'NumberedError', description: 'The format of errors of most analytics operations.' },
);

/** Errors without a wrapper object, for releases. */
export const FlatErrorBody = Type.Object(
  {
    code: Type.String({
      description: 'A stable code for programs. SDKs check for no_releases_for_user and not_found.',
    }),
    message: Type.String({ description: 'The problem and how to fix it, for people.' }),
  },
  { $id: 'FlatError', description: 'The format of errors of releases and in-app updates.' },
);

/** Errors with the request, for webhooks and email settings. */
export const TracedErrorBody = Type.Object(
  {
    request_id: Type.String(),
    code: Type.Integer({ description: 'The status of the response.' }),
    message: Type.String({ description: 'The problem and how to fix it, for people.' }),
  },
  { $id: 'TracedError', description: 'The format of errors of webhooks, email settings and bug trackers.' },
);

/** Errors with the ID of the request, for builds. */
export const IdentifiedErrorBody = Type.Object(
  {
    id: Type.String({ description: 'The ID of the request.' }),
    code: Type.String({ description: 'A stable code for programs.' }),
    message: Type.String({ description: 'The problem and how to fix it, for people.' }),
  },
  { $id: 'IdentifiedError', description: 'The format of errors of builds.' },
);

/** Errors of device sets and test series. */
export const StatedErrorBody = Type.Object(
  {
    status: Type.String({ description: 'A stable code for programs.' }),
    message: Type.String({ description: 'The problem and how to fix it, for people.' }),
  },
  { $id: 'StatedError', description: 'The format of errors of device sets and test series.' },
);

/** All error codes of the health API with their status, as existing clients know them. */
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
      description: 'A stable code for programs.',
    }),
    message: Type.String({ description: 'The problem and how to fix it, for people.' }),
    details: Type.String({ description: 'Details, at least the ID of the request.' }),
  },
  { $id: 'ErrorResponse', description: 'The format of errors of the health API.' },
);

export const OauthErrorBody = Type.Object(
  {
    error: Type.String({ description: 'An error code of RFC 6749, such as invalid_grant.' }),
    error_description: Type.String({ description: 'The problem, for people.' }),
  },
  { $id: 'OauthError', description: 'The format of errors of the token endpoint.' },
);

export const errorMeanings: Record<ErrorStatus | HealthErrorStatus, string> = {
  400: 'The request is invalid; the message says where.',
  401: 'The credential is missing, unknown, malformed, revoked or expired.',
  403: 'The caller may see this resource, but may not perform this operation.',
  404: 'The resource does not exist, or the caller may not see it.',
  405: 'The path exists, but not with this method; see the Allow header.',
  408: 'The request took too long to arrive.',
  409: 'The change conflicts with the current state; nothing was changed.',
  410: 'This API has been retired by its operator.',
  411: 'POST, PUT and PATCH require a body; send {} for an empty one.',
  412: 'The resource has changed since it was read; read it again.',
  413: 'The body is larger than the server accepts.',
  415: 'This operation does not accept the media type of the body; most accept only JSON.',
  416: 'The requested range is outside of the file.',
  429: 'Too many requests; retry after the time in Retry-After.',
  431: 'The headers are larger than the server accepts.',
  500: 'An internal error; include the request ID when you report it.',
  503: 'The server is temporarily unavailable; try again.',
};
