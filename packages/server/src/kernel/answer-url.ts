interface Asked {
  origin?: { url?: string | undefined } | undefined;
  publicUrl(): string;
}

/**
 * The origin of absolute URLs that the caller follows itself, such as the next page or a download: the one it asked, if that
 * is an address of this server, else the public address. URLs for others or for later (emails, webhooks, invitations, feeds
 * to subscribe to, sign-in) always have the public address: use `publicUrl()` for them.
 */
export const answerUrl = ({ origin, publicUrl }: Asked): string => origin?.url ?? publicUrl();
