export { feedbackExamples as examples } from './feedback.examples.ts';
