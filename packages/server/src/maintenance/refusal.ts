/** What cannot be done, and what to do about it. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly advice: string;
  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}
