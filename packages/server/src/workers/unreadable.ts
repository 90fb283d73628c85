/** What somebody sent cannot be worked on; the message says why, to them. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
