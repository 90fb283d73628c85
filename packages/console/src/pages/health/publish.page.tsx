import { Paper, Select, SimpleGrid } from '@mantine/core';
import { HealthEvent_Publish, TrackingId } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { usePublish } from '../../api/health.ts';
import { useSubscriptions } from '../../api/subscriptions.ts';
import { fieldsOf, needed, ruleOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { Page } from '../../parts/page.tsx';
import { pathTo } from '../../paths.ts';
import { type AffectedRegion, type Audience, eventFrom, newTrackingId } from './draft.ts';
import { choicesOf, type EventLevel, type EventType, levelOrder, typeWords } from './event-words.ts';
import { OperatorsOnly } from './operators-only.tsx';
import { AudienceFields, RegionFields } from './publish-fields.tsx';

export default function PublishPage() {
  return (
    <OperatorsOnly reason="Events are published by operators, whom an administrator names.">
      <Publish />
    </OperatorsOnly>
  );
}

const rules = fieldsOf(HealthEvent_Publish, 'properties');
const trackingIds = ruleOf(TrackingId);

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
    // Nobody named would mean everyone.
    const namesNobody = audience !== undefined && audience.subscriptions.length + audience.tenants.length === 0;
    setRefused(namesNobody);
    if (namesNobody) return;
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
    <Page title="Publish an event" lead="Whoever it is for can read it at once.">
      <Paper withBorder p="lg" maw={720}>
        <Form action="Publish" sending={publication} onSend={publish} onCancel={() => navigate(-1)}>
          <TextField name="title" label="Title" rule={rules('title')} autoComplete="off" autoFocus />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Select
              label="Type"
              data={choicesOf(typeWords)}
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
            <NameField name="trackingId" label="Tracking id" rule={trackingIds} defaultValue={trackingId} />
          </SimpleGrid>
          <LongTextField
            name="summary"
            label="Summary"
            rule={needed(rules('summary'))}
            description="What is known, and what is done. It is the first update of each region."
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
