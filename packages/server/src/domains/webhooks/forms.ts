import { toIso } from '../../kernel/clock.ts';
import { formatAnnouncement } from './announcement-text.ts';
import type { Announcement } from './announcements.ts';
import type { WebhooksTable } from './webhooks.tables.ts';

export type Format = WebhooksTable['format'];

export interface FormInput {
  /** Identical in all attempts, so that receivers can drop duplicates. */
  messageId: string;
  announcement: Announcement;
  publicUrl: string;
}

interface Form {
  contentType: string;
  body: unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function cloudEvent({ messageId, announcement, publicUrl }: FormInput): Form {
  const { type, at, data, isTest } = announcement;
  return {
    contentType: 'application/cloudevents+json; charset=utf-8',
    body: {
      specversion: '1.0',
      id: messageId,
      type: `mooring.${type}`,
      source: publicUrl,
      subject: 'app_id' in data ? `${data.owner_name}/${data.app_name}` : data.org_name,
      time: toIso(at),
      ...(isTest ? { istest: true } : {}),
      datacontenttype: 'application/json',
      data,
    },
  };
}

const plain = ({ announcement: { data, isTest } }: FormInput): Form => ({
  contentType: JSON_TYPE,
  body: isTest ? { ...data, is_test: true } : data,
});

const HEADER = 150;
/** Slack interprets these as the start of a link or a mention. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Uses plain text for user content, so that it contains no link and mentions no channel. */
function slack({ announcement }: FormInput): Form {
  const { title, facts, url } = formatAnnouncement(announcement);
  const field = ([label, value]: [string, string]) => ({
    type: 'section',
    text: { type: 'plain_text', text: `${label}\n${value}`, emoji: false },
  });
  return {
    contentType: JSON_TYPE,
    body: {
      text: escaped(title),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title.slice(0, HEADER).toWellFormed(), emoji: false } },
        ...facts.filter(([, value]) => value.trim() !== '').map(field),
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url }],
        },
      ],
    },
  };
}

/** An Adaptive Card for Teams workflows. Text runs are not interpreted as Markdown. */
function teams({ announcement }: FormInput): Form {
  const { title, facts, url } = formatAnnouncement(announcement);
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  const block = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  return {
    contentType: JSON_TYPE,
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              block(run(title, { weight: 'Bolder', size: 'Medium' })),
              ...facts.map(([label, value]) => block(run(`${label}: `, { weight: 'Bolder' }), run(value))),
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open', url }],
          },
        },
      ],
    },
  };
}

const forms: Record<Format, (input: FormInput) => Form> = { cloudevents: cloudEvent, plain, slack, teams };

export function buildMessage(format: Format, input: FormInput): { contentType: string; body: string } {
  const { contentType, body } = forms[format](input);
  return { contentType, body: JSON.stringify(body) };
}

/** Chats are recognized by their URL; all other receivers get CloudEvents. */
export function formatFor(url: string): Format {
  const { hostname } = new URL(url);
  if (hostname === 'hooks.slack.com') return 'slack';
  const isTeams = ['.webhook.office.com', '.logic.azure.com', '.api.powerplatform.com'].some((end) =>
    hostname.endsWith(end),
  );
  return isTeams ? 'teams' : 'cloudevents';
}
