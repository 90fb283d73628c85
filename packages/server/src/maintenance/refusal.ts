/** An operation that can't be done, with advice. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly advice: string;
  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}
