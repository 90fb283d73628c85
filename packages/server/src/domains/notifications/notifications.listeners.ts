import { onAsJob } from '../../jobs/index.ts';
import { tokenExpiring } from '../tokens/index.ts';
import { announced } from '../webhooks/index.ts';
import { isMailed, notifyTokenExpiring, sendAnnouncementMail } from './email-dispatch.ts';

export const notificationListeners = [
  onAsJob(announced, 'announcement.mail', sendAnnouncementMail, isMailed),
  onAsJob(tokenExpiring, 'api_token.mail', notifyTokenExpiring),
];
