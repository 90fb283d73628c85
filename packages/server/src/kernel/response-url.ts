interface AnsweredRequest {
  origin?: { url?: string | undefined } | undefined;
  publicUrl(): string;
}

/**
 * Origin of absolute URLs that the caller follows itself, such as the next page or a download: the address that it
 * called, if it belongs to this server, otherwise the public one. URLs for others or for later (emails, webhooks,
 * invitations, feeds to subscribe to, sign-in) always need the public address: use `publicUrl()` for them.
 */
export const getResponseUrl = ({ origin, publicUrl }: AnsweredRequest): string => origin?.url ?? publicUrl();
