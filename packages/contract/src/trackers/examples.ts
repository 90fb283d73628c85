import { bugTrackersExamples } from './bug-trackers.examples.ts';
import { feedbackTicketsExamples } from './feedback-tickets.examples.ts';
import { ticketsExamples } from './tickets.examples.ts';

export const examples = { ...bugTrackersExamples, ...feedbackTicketsExamples, ...ticketsExamples };
