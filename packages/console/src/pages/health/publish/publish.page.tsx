import { Paper, Select, SimpleGrid } from '@mantine/core';
import { HealthEvent_Publish, TrackingId } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { usePublish } from '../../../api/health/health.ts';
import { useSubscriptions } from '../../../api/health/subscriptions.ts';
import { getBodyRules, needed, toFieldRule } from '../../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../../components/forms/fields.tsx';
import { type Fields, Form } from '../../../components/forms/form.tsx';
import { LongTextField } from '../../../components/forms/long-text-field.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { pathTo } from '../../../paths.ts';
import { type EventLevel, type EventType, levelOrder, toChoices, typeLabels } from '../event-labels.ts';
import { OperatorsOnly } from '../operators-only.tsx';
import { type AffectedRegion, type Audience, eventFrom, newTrackingId } from './draft.ts';
import { AudienceFields, RegionFields } from './publish-fields.tsx';

export default function PublishPage() {
  return (
    <OperatorsOnly reason="Only health operators can publish events. Ask an administrator to make you one.">
      <Publish />
    </OperatorsOnly>
  );
}

const rules = getBodyRules(HealthEvent_Publish, 'properties');
const trackingIds = toFieldRule(TrackingId);

function Publish() {
  const publication = usePublish();
  const navigate = useNavigate();
  const subscriptions = useSubscriptions().data ?? [];
  const [trackingId] = useState(newTrackingId);
  const [eventType, setEventType] = useState<EventType>('ServiceIssue');
  const [eventLevel, setEventLevel] = useState<EventLevel>('Error');
  const [regions, setRegions] = useState<AffectedRegion[]>([{ service: '', region: '' }]);
  const [audience, setAudience] = useState<Audience>();
  const [isRefused, setRefused] = useState(false);
  const publish = (fields: Fields) => {
    // An empty audience would mean everyone.
    const isAudienceEmpty = audience !== undefined && audience.subscriptions.length + audience.tenants.length === 0;
    setRefused(isAudienceEmpty);
    if (isAudienceEmpty) return;
    publication.mutate(
      {
        trackingId: fields.text('trackingId') ?? trackingId,
        properties: eventFrom(
          { title: fields.text('title') ?? '', summary: fields.text('summary'), eventType, eventLevel },
          regions,
          audience ?? { subscriptions: [], tenants: [] },
        ),
      },
      { onSuccess: ({ name }) => navigate(pathTo('healthEvent', { trackingId: name })) },
    );
  };
  return (
    <Page title="Publish event" description="The audience sees the event immediately.">
      <Paper withBorder p="lg" maw={720}>
        <Form action="Publish event" sending={publication} onSend={publish} onCancel={() => navigate(-1)}>
          <TextField name="title" label="Title" rule={rules('title')} autoComplete="off" autoFocus />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Select
              label="Type"
              data={toChoices(typeLabels)}
              value={eventType}
              onChange={(chosen) => chosen && setEventType(chosen as EventType)}
              allowDeselect={false}
            />
            <Select
              label="Level"
              data={levelOrder}
              value={eventLevel}
              onChange={(chosen) => chosen && setEventLevel(chosen as EventLevel)}
              allowDeselect={false}
            />
            <NameField name="trackingId" label="Tracking ID" rule={trackingIds} defaultValue={trackingId} />
          </SimpleGrid>
          <LongTextField
            name="summary"
            label="Summary"
            rule={needed(rules('summary'))}
            description="Describe the impact and the next steps. Becomes the first update of each region."
            minRows={3}
            maxRows={16}
          />
          <RegionFields regions={regions} onChange={setRegions} />
          <AudienceFields
            subscriptions={subscriptions}
            audience={audience}
            isRefused={isRefused}
            onChange={setAudience}
          />
        </Form>
      </Paper>
    </Page>
  );
}
