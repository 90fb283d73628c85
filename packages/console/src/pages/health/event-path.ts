/** Where an event's page is, read by a subscription if there is one. */
export const eventPath = (trackingId: string, subscription: string): string =>
  `/health/events/${trackingId}${subscription ? `?${new URLSearchParams({ subscription })}` : ''}`;
