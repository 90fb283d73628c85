import { handleJob } from '../../jobs/index.ts';
import { checkConnection, trackerCheck } from './bug-trackers.ts';
import { makeTicket } from './ticket-making.ts';
import { followTickets, readTickets, ticketsFollow } from './ticket-states.ts';
import { feedbackTicketMake, ticketMake, ticketsRead } from './tickets.ts';

export const trackerJobs = [
  handleJob(trackerCheck, (ctx, { appId }) => checkConnection(ctx, appId)),
  handleJob(ticketMake, makeTicket),
  handleJob(feedbackTicketMake, makeTicket),
  handleJob(ticketsFollow, followTickets),
  handleJob(ticketsRead, readTickets),
];
