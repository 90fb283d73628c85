/** A file that can't be processed. Its sender sees the message. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
