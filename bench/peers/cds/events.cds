/** Health events as an OData service would have them, with what a list shows ready in columns. */
entity health.Events {
  key name           : String(100);
      id             : String(200);
      type           : String(100);
      eventType      : String(40);
      status         : String(20);
      title          : String(500);
      summary        : String(2000);
      header         : String(500);
      level          : String(20);
      eventLevel     : String(20);
      priority       : Integer;
      lastUpdateTime : Timestamp;
      /** What is nested, as text: it need not be read from other tables and put together for each answer. */
      impact         : LargeString;
      more           : LargeString;
      forEveryone    : Boolean;
      impacts        : Composition of many health.Impacts on impacts.event = $self;
      audiences      : Composition of many health.Audiences on audiences.event = $self;
}

entity health.Impacts {
  key event   : Association to health.Events;
  key service : String(200);
  key region  : String(200);
}

entity health.Audiences {
  key event        : Association to health.Events;
  key subscription : String(36);
}

@protocol: 'odata' @path: '/health' @requires: 'any'
service HealthService {
  @readonly @cds.query.limit: { default: 100, max: 1000 }
  entity Events as projection on health.Events;
  @readonly entity Impacts as projection on health.Impacts;
  @readonly entity Audiences as projection on health.Audiences;
}
