-- What the migrations add up to. Made by `make openapi`; not for editing.

CREATE FUNCTION public.check_writes() RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  truncate write_checks;
  insert into write_checks default values;
end $$;

CREATE FUNCTION public.drop_raw_events_partition(of_month date, since timestamp with time zone, keeps_all boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  name text := 'raw_events_' || to_char(of_month, 'YYYY_MM');
begin
  perform set_config('lock_timeout', '2s', true);
  perform pg_advisory_xact_lock(7502, 0);
  if to_regclass(name) is null
     or exists (select from sessions
                 where month = of_month and (stopped_at is null or stopped_at >= since
                                             or closed_at is null or is_stale))
     or (keeps_all and exists (select from raw_events where month = of_month)) then
    return false;
  end if;
  execute format('drop table %I', name);
  return true;
end $$;

CREATE FUNCTION public.make_raw_events_partition(of_month date) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  name text := 'raw_events_' || to_char(of_month, 'YYYY_MM');
begin
  -- Whoever drops one waits for the sessions that are being started, and they for it.
  perform pg_advisory_xact_lock_shared(7502, 0);
  if to_regclass(name) is not null then
    return false;
  end if;
  perform pg_advisory_xact_lock(7502, 1);
  -- Not by to_regclass: that remembers its first answer, and whoever was waited for has made it.
  if exists (select from pg_class where relname = name) then
    return false;
  end if;
  execute format('create table %I (like raw_events including all)', name);
  execute format('comment on table %I is %L', name, 'tracking: raw events of one month');
  execute format('alter table raw_events attach partition %I for values from (%L) to (%L)',
                 name, of_month, (of_month + interval '1 month')::date);
  return true;
end $$;

CREATE TABLE public.alarms (
    page_id uuid NOT NULL,
    user_id uuid NOT NULL,
    title text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    next_alarm_time timestamp with time zone DEFAULT now() NOT NULL,
    sent_count integer DEFAULT 1 NOT NULL,
    last_notification_id text,
    processed_at timestamp with time zone,
    status text DEFAULT 'active'::text NOT NULL,
    is_chosen boolean DEFAULT false NOT NULL,
    last_sent_at timestamp with time zone,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alarms_count CHECK ((sent_count >= 1)),
    CONSTRAINT alarms_status CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'failing'::text]))),
    CONSTRAINT alarms_texts CHECK (((length(title) <= 2000) AND (length(body) <= 2000)))
);

COMMENT ON TABLE public.alarms IS 'reminders: when a saved page comes back';

CREATE TABLE public.blocked_domains (
    domain text NOT NULL,
    reason text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.blocked_domains IS 'library: sites that refused to be read, as candidates for not asking them again';

CREATE TABLE public.channels (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    config text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    kinds text[],
    last_ok_at timestamp with time zone,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT channels_config CHECK ((config ~~ 'mh1.%'::text)),
    CONSTRAINT channels_kind CHECK ((kind = ANY (ARRAY['webpush'::text, 'email'::text, 'ntfy'::text, 'webhook'::text, 'apprise'::text])))
);

COMMENT ON TABLE public.channels IS 'delivery: the channels over which a person wants notices';

CREATE TABLE public.connections (
    device_hash bytea NOT NULL,
    user_code text NOT NULL,
    name text NOT NULL,
    address text,
    user_id uuid,
    status text DEFAULT 'pending'::text NOT NULL,
    device_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT connections_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'connected'::text]))),
    CONSTRAINT connections_user CHECK (((status = 'pending'::text) = (user_id IS NULL)))
);

COMMENT ON TABLE public.connections IS 'accounts: extensions that wait to be let in by a person';

CREATE TABLE public.crawl_alerts (
    product_id uuid NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    user_id uuid NOT NULL,
    notice_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.crawl_alerts IS 'crawl: what a person was told of a product, once per kind and day';

CREATE TABLE public.crawl_executions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    task_id uuid NOT NULL,
    attempt integer NOT NULL,
    user_agent_id uuid,
    status text DEFAULT 'RUNNING'::text NOT NULL,
    http_status integer,
    duration_ms integer,
    error text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT crawl_executions_status CHECK ((status = ANY (ARRAY['RUNNING'::text, 'SUCCESS'::text, 'FAILED'::text])))
);

COMMENT ON TABLE public.crawl_executions IS 'crawl: one try of a task';

CREATE TABLE public.crawl_preferences (
    user_id uuid NOT NULL,
    alerts jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.crawl_preferences IS 'crawl: what a person wants to be told of';

CREATE TABLE public.crawl_schedulers (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    seller text,
    site text NOT NULL,
    target text NOT NULL,
    url text NOT NULL,
    domain text NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    alerts jsonb,
    next_run_at timestamp with time zone NOT NULL,
    last_run_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT crawl_schedulers_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text]))),
    CONSTRAINT crawl_schedulers_target CHECK ((target = ANY (ARRAY['listing'::text, 'product'::text])))
);

COMMENT ON TABLE public.crawl_schedulers IS 'crawl: pages of shops that are fetched again and again';

CREATE TABLE public.crawl_task_outbox (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    task_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    payload jsonb NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    last_error text,
    available_at timestamp with time zone DEFAULT now() NOT NULL,
    locked_at timestamp with time zone,
    sent_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT crawl_task_outbox_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'SENT'::text, 'FAILED'::text, 'DEAD'::text])))
);

COMMENT ON TABLE public.crawl_task_outbox IS 'crawl: the message that a task is to be executed, until it is sent';

CREATE TABLE public.crawl_tasks (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    scheduler_id uuid NOT NULL,
    parent_id uuid,
    type text NOT NULL,
    item_key text NOT NULL,
    url text NOT NULL,
    domain text NOT NULL,
    status text DEFAULT 'WAITING'::text NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    listed_at timestamp with time zone,
    CONSTRAINT crawl_tasks_finished CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text])))),
    CONSTRAINT crawl_tasks_status CHECK ((status = ANY (ARRAY['WAITING'::text, 'PUBLISHED'::text, 'RUNNING'::text, 'SUCCESS'::text, 'FAILED'::text, 'RETRY'::text]))),
    CONSTRAINT crawl_tasks_type CHECK ((type = ANY (ARRAY['SEARCH'::text, 'MINI_SHOP'::text, 'DETAIL'::text, 'OPTION'::text])))
);

COMMENT ON TABLE public.crawl_tasks IS 'crawl: one page that is to be fetched';

COMMENT ON COLUMN public.crawl_tasks.listed_at IS 'of the first task of a run: when its listing was read to its end; null once what it lacked is counted';

CREATE TABLE public.crawled_product_history (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    product_id uuid NOT NULL,
    option_id uuid NOT NULL,
    raw_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    price numeric(18,4),
    currency text,
    availability text,
    quantity integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.crawled_product_history IS 'crawl: prices and stock, one row where one of them changed';

CREATE TABLE public.crawled_product_options (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    product_id uuid NOT NULL,
    option_key text NOT NULL,
    name text,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    sku text,
    price numeric(18,4),
    currency text,
    availability text,
    quantity integer,
    baseline numeric(18,4),
    gone_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.crawled_product_options IS 'crawl: what one can buy of a product, with its price';

CREATE TABLE public.crawled_products (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    scheduler_id uuid NOT NULL,
    site text NOT NULL,
    item_key text NOT NULL,
    url text NOT NULL,
    title text,
    brand text,
    image text,
    sku text,
    gtin text,
    price_min numeric(18,4),
    price_max numeric(18,4),
    currency text,
    availability text,
    mini_shop_at timestamp with time zone,
    detail_at timestamp with time zone,
    option_at timestamp with time zone,
    missed integer DEFAULT 0 NOT NULL,
    gone_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    not_found integer DEFAULT 0 NOT NULL
);

COMMENT ON TABLE public.crawled_products IS 'crawl: products as shops show them';

COMMENT ON COLUMN public.crawled_products.missed IS 'how many whole listings in a row did not show it';

COMMENT ON COLUMN public.crawled_products.not_found IS 'how often in a row its own page was missing';

CREATE TABLE public.crawled_raws (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    task_id uuid NOT NULL,
    scheduler_id uuid NOT NULL,
    type text NOT NULL,
    site text NOT NULL,
    site_version integer NOT NULL,
    item_key text NOT NULL,
    url text NOT NULL,
    body bytea NOT NULL,
    follows text,
    run_at timestamp with time zone NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    last_error text,
    available_at timestamp with time zone DEFAULT now() NOT NULL,
    processed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT crawled_raws_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSED'::text, 'FAILED'::text, 'DEAD'::text]))),
    CONSTRAINT crawled_raws_type CHECK ((type = ANY (ARRAY['MINI_SHOP'::text, 'DETAIL'::text, 'OPTION'::text])))
);

COMMENT ON TABLE public.crawled_raws IS 'crawl: what a site said of a product, until it is applied; kept for 30 days';

CREATE TABLE public.deleted_sessions (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.deleted_sessions IS 'tracking: ids that a browser may still send events for';

CREATE TABLE public.deliveries (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    notice_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    provider_id text,
    last_error text,
    tried_at timestamp with time zone,
    sent_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    digest_id uuid,
    CONSTRAINT deliveries_sent CHECK (((status = 'SENT'::text) = (sent_at IS NOT NULL))),
    CONSTRAINT deliveries_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'SENDING'::text, 'SENT'::text, 'FAILED'::text, 'DEAD'::text])))
);

COMMENT ON TABLE public.deliveries IS 'delivery: one notice over one channel, and what became of it';

CREATE TABLE public.devices (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    rotated_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone,
    last_address text,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT devices_kind CHECK ((kind = ANY (ARRAY['web'::text, 'extension'::text, 'api'::text]))),
    CONSTRAINT devices_scopes CHECK ((scopes <@ ARRAY['web'::text, 'extension'::text, 'api'::text, 'admin'::text]))
);

COMMENT ON TABLE public.devices IS 'accounts: where a person is signed in: browsers, extensions, programs';

CREATE TABLE public.jobs (
    id bigint NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    key text,
    lane text NOT NULL,
    domain text,
    args jsonb NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    again boolean DEFAULT false NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer NOT NULL,
    rescues integer DEFAULT 0 NOT NULL,
    run_after timestamp with time zone DEFAULT now() NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    lease_id uuid,
    lease_until timestamp with time zone,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    setbacks smallint DEFAULT 0 NOT NULL,
    rescued_lease uuid,
    CONSTRAINT jobs_again CHECK (((NOT again) OR (status = 'running'::text))),
    CONSTRAINT jobs_attempts CHECK ((((attempts >= 0) AND (attempts <= max_attempts)) AND (rescues >= 0))),
    CONSTRAINT jobs_finished CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['succeeded'::text, 'dead'::text, 'canceled'::text])))),
    CONSTRAINT jobs_lane CHECK ((lane = ANY (ARRAY['critical'::text, 'default'::text, 'low'::text]))),
    CONSTRAINT jobs_lease CHECK ((num_nonnulls(locked_at, locked_by, lease_id, lease_until) =
CASE
    WHEN (status = 'running'::text) THEN 4
    ELSE 0
END)),
    CONSTRAINT jobs_names CHECK (((queue <> ''::text) AND (kind <> ''::text) AND (key <> ''::text) AND (domain <> ''::text))),
    CONSTRAINT jobs_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'dead'::text, 'canceled'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.05');

COMMENT ON TABLE public.jobs IS 'work: one row for every durable step, waiting, running or done';

COMMENT ON COLUMN public.jobs.setbacks IS 'how often in a row the database failed its handler, without an attempt being counted';

COMMENT ON COLUMN public.jobs.rescued_lease IS 'the lease under which it was rescued last; null once it was claimed again';

CREATE TABLE public.link_metadata (
    url_id uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    reason text,
    title text,
    description text,
    image text,
    site_name text,
    favicon text,
    language text,
    canonical text,
    summary text,
    keywords text[],
    engine text,
    attempts integer DEFAULT 0 NOT NULL,
    job_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    enriched_at timestamp with time zone,
    CONSTRAINT link_metadata_enriched CHECK (((state = 'enriched'::text) = (enriched_at IS NOT NULL))),
    CONSTRAINT link_metadata_reason CHECK (((state = 'dead'::text) = (reason IS NOT NULL))),
    CONSTRAINT link_metadata_state CHECK ((state = ANY (ARRAY['waiting'::text, 'enriched'::text, 'dead'::text])))
);

COMMENT ON TABLE public.link_metadata IS 'library: what a saved link''s page says of itself; the same for everybody';

CREATE VIEW public.enrichment_jobs AS
 SELECT j.id,
    m.url_id AS link_canonical_id,
        CASE
            WHEN (m.state = 'enriched'::text) THEN 'succeeded'::text
            WHEN (m.state = 'dead'::text) THEN 'dead'::text
            WHEN (j.status = ANY (ARRAY['dead'::text, 'canceled'::text])) THEN 'dead'::text
            WHEN (j.status = 'running'::text) THEN 'running'::text
            WHEN ((j.attempts > 0) AND (j.status = 'queued'::text)) THEN 'failed'::text
            ELSE 'queued'::text
        END AS status,
        CASE
            WHEN (m.state = 'waiting'::text) THEN COALESCE(j.attempts, 0)
            ELSE m.attempts
        END AS attempts,
    COALESCE(j.max_attempts, 2) AS max_attempts,
    j.run_after,
    j.locked_at,
    j.locked_by,
    COALESCE(m.reason, j.last_error) AS last_error,
    m.created_at,
    COALESCE(j.updated_at, m.enriched_at, m.created_at) AS updated_at
   FROM (public.link_metadata m
     LEFT JOIN public.jobs j ON (((j.id = m.job_id) AND (j.kind = 'library:enrich'::text))));

COMMENT ON VIEW public.enrichment_jobs IS 'library: every saved link with the state of its enrichment';

CREATE TABLE public.erasures (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.erasures IS 'accounts: people who are being forgotten';

CREATE TABLE public.export_parts (
    export_id uuid NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.export_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

COMMENT ON TABLE public.export_parts IS 'accounts: the archive of an export, in parts of 1 MiB';

CREATE TABLE public.exports (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    files integer DEFAULT 0 NOT NULL,
    files_done integer DEFAULT 0 NOT NULL,
    size_bytes bigint,
    digest text,
    reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    expires_at timestamp with time zone,
    CONSTRAINT exports_files CHECK (((files_done >= 0) AND (files_done <= files))),
    CONSTRAINT exports_finished CHECK ((((finished_at IS NOT NULL) AND (expires_at IS NOT NULL)) = (status = ANY (ARRAY['ready'::text, 'failed'::text])))),
    CONSTRAINT exports_ready CHECK ((((size_bytes IS NOT NULL) AND (digest IS NOT NULL)) = (status = 'ready'::text))),
    CONSTRAINT exports_reason CHECK (((reason IS NOT NULL) = (status = 'failed'::text))),
    CONSTRAINT exports_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'failed'::text])))
);

COMMENT ON TABLE public.exports IS 'accounts: exports of everything about a person, being made or kept for a day';

CREATE TABLE public.fetch_redirects (
    job_id bigint NOT NULL,
    asked text NOT NULL,
    url text NOT NULL,
    hops integer NOT NULL
);

COMMENT ON TABLE public.fetch_redirects IS 'fetching: where jobs were redirected, on their way to another site';

COMMENT ON COLUMN public.fetch_redirects.asked IS 'the address the job asked for; if it asks for another one now, the row means nothing';

COMMENT ON COLUMN public.fetch_redirects.hops IS 'redirects it took so far';

CREATE TABLE public.fetch_waits (
    domain text NOT NULL,
    until timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.fetch_waits IS 'fetching: sites that asked not to be asked again before a time';

CREATE TABLE public.folders (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    sync_id text,
    parent_id uuid,
    name text NOT NULL,
    "position" double precision NOT NULL,
    extra jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_seq bigint NOT NULL,
    seq bigint NOT NULL,
    CONSTRAINT folders_position CHECK ((("position" >= ('-1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND ("position" <= ('1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
    CONSTRAINT folders_seq CHECK ((created_seq <= seq))
);

COMMENT ON TABLE public.folders IS 'library: a person''s folders';

CREATE TABLE public.forgotten_ranges (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    from_at timestamp with time zone,
    to_at timestamp with time zone NOT NULL,
    session_id uuid,
    domain_hash uuid,
    url_hash uuid,
    sessions integer DEFAULT 0 NOT NULL,
    sessions_done integer DEFAULT 0 NOT NULL,
    last_session_id uuid,
    done_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT forgotten_ranges_pages CHECK (((domain_hash IS NULL) OR (url_hash IS NULL))),
    CONSTRAINT forgotten_ranges_time CHECK ((from_at < to_at))
);

COMMENT ON TABLE public.forgotten_ranges IS 'tracking: what a person wants forgotten, for events that arrive late';

CREATE TABLE public.highlight_notes (
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    note text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.highlight_notes IS 'tracking: what people wrote about their highlights';

CREATE TABLE public.highlights (
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    url_id uuid NOT NULL,
    visit_seq integer,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.highlights IS 'tracking: texts that were marked';

CREATE TABLE public.identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.identities IS 'accounts: people as their identity provider knows them';

CREATE TABLE public.import_failures (
    import_id uuid NOT NULL,
    number integer NOT NULL,
    line integer NOT NULL,
    reason text NOT NULL,
    excerpt text NOT NULL
);

COMMENT ON TABLE public.import_failures IS 'library: entries of a file that could not be imported; the first thousand';

CREATE TABLE public.import_jobs (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    source_type text,
    status text DEFAULT 'queued'::text NOT NULL,
    file_name text,
    folder_id uuid,
    total_items integer DEFAULT 0 NOT NULL,
    processed_items integer DEFAULT 0 NOT NULL,
    failed_items integer DEFAULT 0 NOT NULL,
    added_items integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT import_jobs_finished CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'canceled'::text])))),
    CONSTRAINT import_jobs_items CHECK (((LEAST(total_items, processed_items, failed_items, added_items) >= 0) AND ((failed_items + added_items) <= processed_items))),
    CONSTRAINT import_jobs_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text])))
);

COMMENT ON TABLE public.import_jobs IS 'library: files of bookmarks that were imported, and how far each has come';

CREATE TABLE public.import_parts (
    import_id uuid NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.import_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

COMMENT ON TABLE public.import_parts IS 'library: the file of an import, until that ends';

CREATE TABLE public.insight_backfill (
    only_row boolean DEFAULT true NOT NULL,
    done_at timestamp with time zone,
    CONSTRAINT insight_backfill_only_row_check CHECK (only_row)
);

COMMENT ON TABLE public.insight_backfill IS 'insight: whether sessions from before it have been given to it';

CREATE TABLE public.invoices (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    subscription_id uuid,
    amount_cents bigint NOT NULL,
    currency text DEFAULT 'USD'::text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    stripe_invoice_id text,
    url text,
    paid_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT invoices_status CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'refunded'::text])))
);

COMMENT ON TABLE public.invoices IS 'billing: what people were charged, as Stripe has it';

CREATE TABLE public.job_renewals (
    job_id bigint NOT NULL,
    lease_id uuid NOT NULL,
    lease_until timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

COMMENT ON TABLE public.job_renewals IS 'work: leases prolonged while their job''s row was locked; a row lives as long as its lease';

CREATE TABLE public.job_schedules (
    name text NOT NULL,
    next_run_at timestamp with time zone NOT NULL,
    last_run_at timestamp with time zone,
    last_job_id bigint
);

COMMENT ON TABLE public.job_schedules IS 'work: when each recurring job is due next';

CREATE TABLE public.job_slots (
    domain text NOT NULL,
    slot smallint NOT NULL,
    job_id bigint NOT NULL,
    lease_id uuid,
    lease_until timestamp with time zone,
    CONSTRAINT job_slots_outlived CHECK (((lease_id IS NULL) = (lease_until IS NULL)))
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

COMMENT ON TABLE public.job_slots IS 'work: which of a domain''s places are taken; a row lives as long as its job runs';

COMMENT ON COLUMN public.job_slots.lease_id IS 'the lease under which a handler may still be at it whose job was taken from it; null while the job runs';

COMMENT ON COLUMN public.job_slots.lease_until IS 'when that lease ends, unless it was prolonged in job_renewals';

ALTER TABLE public.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.kept_mails (
    id bigint NOT NULL,
    user_id uuid,
    recipient text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    message_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.kept_mails IS 'mail: mails that could not be sent for want of a mail server';

ALTER TABLE public.kept_mails ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.kept_mails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.links (
    hash bytea NOT NULL,
    purpose text NOT NULL,
    user_id uuid,
    email text,
    sign_up_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT links_purpose CHECK ((purpose = ANY (ARRAY['owner'::text, 'sign_up'::text, 'verify'::text, 'email'::text, 'reset'::text])))
);

COMMENT ON TABLE public.links IS 'accounts: one-time links; opening one deletes it';

CREATE TABLE public.mindmap_edits (
    session_id uuid NOT NULL,
    number integer NOT NULL,
    op jsonb NOT NULL,
    was jsonb DEFAULT '{}'::jsonb NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.mindmap_edits IS 'insight: what readers changed on their maps, as operations';

COMMENT ON COLUMN public.mindmap_edits.was IS 'node id → what it looked like in the generated map: type, label, pages';

CREATE TABLE public.mindmap_graphs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    nodes jsonb NOT NULL,
    edges jsonb NOT NULL,
    metadata jsonb NOT NULL,
    made_of text NOT NULL,
    timeline_version integer NOT NULL,
    thumbnail jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.mindmap_graphs IS 'insight: mind maps as they were generated';

COMMENT ON COLUMN public.mindmap_graphs.made_of IS 'hash of the pages, times, highlights, summaries and versions it was made of';

COMMENT ON COLUMN public.mindmap_graphs.thumbnail IS 'of the map as it is shown';

CREATE TABLE public.model_answers (
    key bytea NOT NULL,
    user_id uuid,
    answer text,
    at timestamp with time zone DEFAULT now() NOT NULL,
    asked_until timestamp with time zone,
    CONSTRAINT model_answers_asked CHECK (((answer IS NULL) = (asked_until IS NOT NULL)))
);

COMMENT ON TABLE public.model_answers IS 'language: answers of models that were paid for, until the work they are for is finished';

CREATE TABLE public.notices (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    title text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    url text,
    page_id uuid,
    read_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT notices_kind CHECK ((kind = ANY (ARRAY['reminder'::text, 'price'::text, 'usage'::text, 'retention'::text, 'test'::text])))
);

COMMENT ON TABLE public.notices IS 'delivery: what a person was told, in the app';

CREATE TABLE public.oidc_requests (
    state_hash bytea NOT NULL,
    nonce text NOT NULL,
    verifier text NOT NULL,
    next text NOT NULL,
    language text NOT NULL,
    timezone text,
    expires_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.oidc_requests IS 'accounts: sign-ins that are on their way through an identity provider';

CREATE TABLE public.page_contents (
    id uuid NOT NULL,
    user_id uuid,
    title text,
    content text NOT NULL,
    meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    favicon text,
    status text DEFAULT 'extracted'::text NOT NULL,
    summary text,
    keywords text[],
    summarised_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    icon text GENERATED ALWAYS AS (
CASE
    WHEN (favicon ~~ 'data:%'::text) THEN md5(favicon)
    ELSE NULL::text
END) STORED,
    summarised_by text,
    CONSTRAINT page_contents_length CHECK ((octet_length(content) <= 40000)),
    CONSTRAINT page_contents_status CHECK ((status = ANY (ARRAY['extracted'::text, 'crawled'::text])))
);

COMMENT ON TABLE public.page_contents IS 'tracking: what a reader saw';

COMMENT ON COLUMN public.page_contents.icon IS 'the name of an icon that the page brought along; null where favicon is an address of the web';

CREATE TABLE public.page_visits (
    session_id uuid NOT NULL,
    opened_by_seq integer NOT NULL,
    visit_order integer NOT NULL,
    url_id uuid NOT NULL,
    tab_id integer NOT NULL,
    entered_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone NOT NULL,
    duration_ms bigint NOT NULL,
    is_focused boolean NOT NULL,
    title text,
    content_id uuid,
    transition text,
    from_url_id uuid,
    address text,
    CONSTRAINT page_visits_time CHECK (((left_at > entered_at) AND (duration_ms > 0)))
);

COMMENT ON TABLE public.page_visits IS 'tracking: stays of a page in the foreground';

COMMENT ON COLUMN public.page_visits.address IS 'the address last seen in the visit; null: that of urls';

CREATE TABLE public.pages (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    sync_id text,
    kind text NOT NULL,
    url_id uuid,
    address text NOT NULL,
    title text,
    note text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    archived_at timestamp with time zone,
    folder_id uuid,
    "position" double precision NOT NULL,
    extra jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_seq bigint NOT NULL,
    seq bigint NOT NULL,
    CONSTRAINT pages_kind CHECK ((kind = ANY (ARRAY['link'::text, 'other'::text, 'separator'::text]))),
    CONSTRAINT pages_position CHECK ((("position" >= ('-1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND ("position" <= ('1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
    CONSTRAINT pages_seq CHECK ((created_seq <= seq)),
    CONSTRAINT pages_url CHECK (((kind = 'link'::text) = (url_id IS NOT NULL)))
);

COMMENT ON TABLE public.pages IS 'library: saved pages, one row for each place in a person''s folders';

CREATE TABLE public.plans (
    id text NOT NULL,
    name text NOT NULL,
    price_cents integer,
    billing_period text DEFAULT 'monthly'::text NOT NULL,
    token_limit bigint,
    session_retention_days integer,
    max_concurrent_sessions integer,
    features jsonb DEFAULT '[]'::jsonb NOT NULL,
    stripe_prices text[] DEFAULT '{}'::text[] NOT NULL,
    is_offered boolean DEFAULT true NOT NULL,
    place integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT plans_billing_period CHECK ((billing_period = ANY (ARRAY['monthly'::text, 'yearly'::text]))),
    CONSTRAINT plans_features CHECK ((jsonb_typeof(features) = 'array'::text)),
    CONSTRAINT plans_limits CHECK (((price_cents >= 0) AND (token_limit >= 0) AND (session_retention_days > 0) AND (max_concurrent_sessions > 0)))
);

COMMENT ON TABLE public.plans IS 'billing: what people may use, from the configuration';

CREATE TABLE public.processing_requests (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    again text[] NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.processing_requests IS 'insight: what a reader wants made again; gone when it is';

CREATE TABLE public.provider_keys (
    user_id uuid NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    base_url text,
    sealed text,
    tested_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT provider_keys_base_url CHECK (((provider = 'compatible'::text) = (base_url IS NOT NULL))),
    CONSTRAINT provider_keys_provider CHECK ((provider = ANY (ARRAY['openai'::text, 'gemini'::text, 'claude'::text, 'compatible'::text]))),
    CONSTRAINT provider_keys_sealed CHECK (((sealed ~~ 'mh1.%'::text) OR ((sealed IS NULL) AND (provider = 'compatible'::text))))
);

COMMENT ON TABLE public.provider_keys IS 'language: the model provider a person chose, with a key of their own';

CREATE TABLE public.push_subscriptions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    device_id uuid,
    last_ok_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.push_subscriptions IS 'delivery: browsers that show notices, and how to encrypt for them';

CREATE UNLOGGED TABLE public.rate_limits (
    key bytea NOT NULL,
    whole_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.rate_limits IS 'accounts: how much of its allowance each address and account has used';

CREATE TABLE public.raw_events (
    month date NOT NULL,
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    t bigint NOT NULL,
    type text NOT NULL,
    tab_id integer,
    window_id integer,
    url_id uuid,
    payload jsonb,
    received_at timestamp with time zone DEFAULT now()
)
PARTITION BY RANGE (month);

COMMENT ON TABLE public.raw_events IS 'tracking: the log, as it came; partitioned by the month of the session''s start';

COMMENT ON COLUMN public.raw_events.received_at IS 'when it arrived; null for what came before there was this column. The fold never reads it';

CREATE TABLE public.reader_urls (
    user_id uuid NOT NULL,
    url_id uuid NOT NULL,
    content_id uuid,
    content_status text,
    session_id uuid,
    read_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    address text,
    no_fetch boolean DEFAULT false NOT NULL,
    holders text[] DEFAULT '{}'::text[] NOT NULL,
    content_error text,
    CONSTRAINT reader_urls_content CHECK ((COALESCE((content_status = ANY (ARRAY['extracted'::text, 'crawled'::text])), false) = (content_id IS NOT NULL))),
    CONSTRAINT reader_urls_status CHECK ((content_status = ANY (ARRAY['pending'::text, 'extracted'::text, 'crawled'::text, 'failed'::text])))
);

COMMENT ON TABLE public.reader_urls IS 'tracking: pages a reader has met, and the newest text of each';

COMMENT ON COLUMN public.reader_urls.address IS 'the address at which the reader last saw it; null: that of urls';

COMMENT ON COLUMN public.reader_urls.no_fetch IS 'the browser said that the server must not fetch it; stays true once it is';

COMMENT ON COLUMN public.reader_urls.holders IS 'slices that refer to the page, and keep it from being deleted';

COMMENT ON COLUMN public.reader_urls.content_error IS 'why the page could not be fetched, where content_status is failed';

CREATE TABLE public.recording_use (
    user_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    sessions integer DEFAULT 0 NOT NULL,
    day date NOT NULL,
    events integer DEFAULT 0 NOT NULL,
    icons integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    measured_at timestamp with time zone
);

COMMENT ON TABLE public.recording_use IS 'tracking: how much each person records, and has stored';

CREATE TABLE public.reminder_preferences (
    user_id uuid NOT NULL,
    folder_id uuid,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    digest boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.reminder_preferences IS 'reminders: in which folder a page is saved that somebody wants to be reminded of';

CREATE TABLE public.robots_cache (
    origin text NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.robots_cache IS 'fetching: what sites say about robots, at most a day old';

COMMENT ON COLUMN public.robots_cache.status IS 'of the answer; 0 where there was none';

CREATE TABLE public.saved_searches (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.saved_searches IS 'library: searches that people keep';

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    took_ms integer NOT NULL
);

COMMENT ON TABLE public.schema_migrations IS 'db: which migrations were applied, with their checksums';

CREATE TABLE public.search_backfill (
    only_row boolean DEFAULT true NOT NULL,
    done_at timestamp with time zone,
    CONSTRAINT search_backfill_only_row_check CHECK (only_row)
);

COMMENT ON TABLE public.search_backfill IS 'library: whether what was there before search has been given to it';

CREATE TABLE public.search_docs (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    session_id uuid,
    page_id uuid,
    text_id uuid,
    content_id uuid,
    url_id uuid,
    domain text,
    at timestamp with time zone NOT NULL,
    lexemes tsvector NOT NULL,
    CONSTRAINT search_docs_kind CHECK (
CASE kind
    WHEN 'session'::text THEN (session_id IS NOT NULL)
    WHEN 'page'::text THEN ((session_id IS NOT NULL) AND (url_id IS NOT NULL))
    WHEN 'highlight'::text THEN ((session_id IS NOT NULL) AND (url_id IS NOT NULL))
    WHEN 'bookmark'::text THEN (page_id IS NOT NULL)
    WHEN 'text'::text THEN (text_id IS NOT NULL)
    ELSE false
END)
);

COMMENT ON TABLE public.search_docs IS 'library: the words of what people recorded and saved, for search';

CREATE TABLE public.search_progress (
    user_id uuid NOT NULL,
    seq bigint NOT NULL
);

COMMENT ON TABLE public.search_progress IS 'library: how far a person''s bookmarks are indexed';

CREATE TABLE public.search_topics (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    labels text[] NOT NULL,
    timeline_version integer NOT NULL
);

COMMENT ON TABLE public.search_topics IS 'library: the topics of sessions'' maps, as insight handed them down for search';

CREATE TABLE public.security_events (
    id bigint NOT NULL,
    user_id uuid,
    at timestamp with time zone DEFAULT now() NOT NULL,
    event text NOT NULL,
    address text,
    device text
);

COMMENT ON TABLE public.security_events IS 'accounts: what happened to whose keys, for the person to see';

ALTER TABLE public.security_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.security_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.session_pauses (
    session_id uuid NOT NULL,
    entered_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    CONSTRAINT session_pauses_kind CHECK ((kind = ANY (ARRAY['idle'::text, 'asleep'::text, 'no_page'::text]))),
    CONSTRAINT session_pauses_time CHECK ((left_at > entered_at))
);

COMMENT ON TABLE public.session_pauses IS 'tracking: stretches of a session that belong to no visit';

CREATE TABLE public.session_reports (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    state text NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    CONSTRAINT session_reports_sent CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL))),
    CONSTRAINT session_reports_state CHECK ((state = ANY (ARRAY['due'::text, 'sent'::text, 'off'::text, 'no_server'::text, 'failed'::text])))
);

COMMENT ON TABLE public.session_reports IS 'insight: the one report by mail of each session, and what became of it';

CREATE TABLE public.session_topics (
    session_id uuid NOT NULL,
    place integer NOT NULL,
    label text NOT NULL,
    url_ids uuid[] NOT NULL
);

COMMENT ON TABLE public.session_topics IS 'insight: the topics of sessions as their maps show them, for totals';

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    device_id uuid,
    title text,
    status text DEFAULT 'recording'::text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    is_end_guessed boolean DEFAULT false NOT NULL,
    stopped_at timestamp with time zone,
    closed_at timestamp with time zone,
    last_event_at timestamp with time zone,
    heard_at timestamp with time zone DEFAULT now() NOT NULL,
    month date NOT NULL,
    next_seq integer DEFAULT 1 NOT NULL,
    max_seq integer DEFAULT 0 NOT NULL,
    last_seq integer,
    parked jsonb DEFAULT '[]'::jsonb NOT NULL,
    holes jsonb DEFAULT '[]'::jsonb NOT NULL,
    hole_since timestamp with time zone,
    fold_state bytea,
    is_resting boolean DEFAULT false NOT NULL,
    is_stale boolean DEFAULT false NOT NULL,
    page_count integer DEFAULT 0 NOT NULL,
    total_duration_ms bigint DEFAULT 0 NOT NULL,
    event_count integer DEFAULT 0 NOT NULL,
    rejected_count integer DEFAULT 0 NOT NULL,
    highlight_count integer DEFAULT 0 NOT NULL,
    top_keywords text[] DEFAULT '{}'::text[] NOT NULL,
    top_domains text[] DEFAULT '{}'::text[] NOT NULL,
    error text,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    timeline_version integer DEFAULT 0 NOT NULL,
    title_by text,
    main_url_id uuid,
    main_title text,
    progress jsonb,
    timeline_at timestamp with time zone,
    is_over_limit boolean DEFAULT false NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT sessions_log CHECK (((next_seq >= 1) AND (max_seq >= (next_seq - 1)))),
    CONSTRAINT sessions_month CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT sessions_status CHECK ((status = ANY (ARRAY['recording'::text, 'processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT sessions_stopped CHECK (((status = 'recording'::text) = (stopped_at IS NULL))),
    CONSTRAINT sessions_timeline CHECK (((closed_at IS NULL) OR (timeline_version > 0))),
    CONSTRAINT sessions_title_by CHECK (((title_by = ANY (ARRAY['reader'::text, 'generated'::text])) AND ((title_by IS NULL) = (title IS NULL))))
)
WITH (fillfactor='80');
ALTER TABLE ONLY public.sessions ALTER COLUMN fold_state SET STORAGE EXTERNAL;

COMMENT ON TABLE public.sessions IS 'tracking: one recording, from start to stop';

COMMENT ON COLUMN public.sessions.timeline_at IS 'when the timeline was closed or last folded again';

CREATE TABLE public.sign_ups (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    language text NOT NULL,
    timezone text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.sign_ups IS 'accounts: people who asked for an account and have not opened the link';

CREATE TABLE public.site_breakers (
    domain text NOT NULL,
    state text DEFAULT 'CLOSED'::text NOT NULL,
    probe_at timestamp with time zone,
    probe_task_id uuid,
    trips integer DEFAULT 0 NOT NULL,
    reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT site_breakers_state CHECK ((state = ANY (ARRAY['CLOSED'::text, 'OPEN'::text, 'HALF_OPEN'::text])))
);

COMMENT ON TABLE public.site_breakers IS 'crawl: sites that are left alone for a while';

CREATE TABLE public.stripe_customers (
    user_id uuid NOT NULL,
    customer_id text NOT NULL,
    reading bigint DEFAULT 0 NOT NULL,
    read_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.stripe_customers IS 'billing: under which id Stripe knows a person';

CREATE TABLE public.stripe_events (
    id text NOT NULL,
    type text NOT NULL,
    customer_id text,
    created_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    handled_at timestamp with time zone,
    error text
);

COMMENT ON TABLE public.stripe_events IS 'billing: what Stripe told us, so that a repeat changes nothing; no payload is kept';

CREATE TABLE public.subscriptions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    plan_id text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    current_period_start timestamp with time zone NOT NULL,
    current_period_end timestamp with time zone NOT NULL,
    cancel_at_period_end boolean DEFAULT false NOT NULL,
    stripe_subscription_id text,
    stripe_customer_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT subscriptions_period CHECK ((current_period_start < current_period_end)),
    CONSTRAINT subscriptions_status CHECK ((status = ANY (ARRAY['active'::text, 'trialing'::text, 'past_due'::text, 'canceled'::text]))),
    CONSTRAINT subscriptions_stripe CHECK (((stripe_subscription_id IS NULL) = (stripe_customer_id IS NULL)))
);

COMMENT ON TABLE public.subscriptions IS 'billing: who has which plan, and until when';

CREATE TABLE public.sync_tombstones (
    user_id uuid NOT NULL,
    table_name text NOT NULL,
    sync_id text NOT NULL,
    seq bigint NOT NULL,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sync_tombstones_table CHECK ((table_name = ANY (ARRAY['folders'::text, 'pages'::text])))
);

COMMENT ON TABLE public.sync_tombstones IS 'library: what was deleted, for clients that have not heard of it';

CREATE TABLE public.token_usage (
    id bigint NOT NULL,
    user_id uuid,
    session_id uuid,
    operation text NOT NULL,
    provider text NOT NULL,
    ai_model text NOT NULL,
    payer text NOT NULL,
    state text DEFAULT 'reserved'::text NOT NULL,
    tokens_used integer NOT NULL,
    input_tokens integer,
    output_tokens integer,
    request_id text,
    period_start timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    held_until timestamp with time zone,
    CONSTRAINT token_usage_counted CHECK (((tokens_used >= 0) AND ((state = 'used'::text) = ((input_tokens IS NOT NULL) AND (output_tokens IS NOT NULL))) AND ((state <> 'used'::text) OR (tokens_used = (input_tokens + output_tokens))))),
    CONSTRAINT token_usage_held CHECK (((state = 'reserved'::text) = (held_until IS NOT NULL))),
    CONSTRAINT token_usage_owner CHECK (((user_id IS NULL) = (payer = 'installation'::text))),
    CONSTRAINT token_usage_payer CHECK ((payer = ANY (ARRAY['plan'::text, 'own'::text, 'installation'::text]))),
    CONSTRAINT token_usage_state CHECK ((state = ANY (ARRAY['reserved'::text, 'used'::text, 'unknown'::text])))
);

COMMENT ON TABLE public.token_usage IS 'billing: every call of a model and the tokens it took';

ALTER TABLE public.token_usage ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.token_usage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tokens (
    hash bytea NOT NULL,
    device_id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    generation integer NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT tokens_kind CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text])))
);

COMMENT ON TABLE public.tokens IS 'accounts: hashes of the secrets that devices hold';

CREATE TABLE public.urls (
    id uuid NOT NULL,
    url text NOT NULL,
    domain text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.urls IS 'tracking: the identity of pages, of everybody and of nobody';

CREATE TABLE public.usage_notices (
    user_id uuid NOT NULL,
    period_start timestamp with time zone NOT NULL,
    percent integer NOT NULL,
    told_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.usage_notices IS 'billing: which share of their tokens people were told of, once a period';

CREATE TABLE public.usage_totals (
    user_id uuid NOT NULL,
    period_start timestamp with time zone NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_totals_counted CHECK (((used >= 0) AND (reserved >= 0)))
);

COMMENT ON TABLE public.usage_totals IS 'billing: what a person''s plan paid for in a period; locked by every reservation';

CREATE TABLE public.user_agent_health (
    domain text NOT NULL,
    user_agent_id uuid NOT NULL,
    health_score integer DEFAULT 100 NOT NULL,
    suspended_until timestamp with time zone,
    last_used_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_agent_health_score CHECK (((health_score >= 0) AND (health_score <= 100)))
);

COMMENT ON TABLE public.user_agent_health IS 'crawl: how well each user agent is received by each site';

CREATE TABLE public.user_agents (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_agent text NOT NULL,
    status text DEFAULT 'AVAILABLE'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_agents_status CHECK ((status = ANY (ARRAY['AVAILABLE'::text, 'BLOCKED'::text])))
);

COMMENT ON TABLE public.user_agents IS 'crawl: how requests introduce themselves';

CREATE TABLE public.user_settings (
    user_id uuid NOT NULL,
    email_notification boolean DEFAULT true NOT NULL,
    excluded_domains text[] DEFAULT '{}'::text[] NOT NULL,
    timezone text,
    language text DEFAULT 'en'::text NOT NULL,
    quiet_from time without time zone,
    quiet_until time without time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    server_fetch boolean DEFAULT true NOT NULL,
    quiet_mode text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT user_settings_domains CHECK ((cardinality(excluded_domains) <= 1000)),
    CONSTRAINT user_settings_language CHECK ((language = ANY (ARRAY['en'::text, 'ko'::text]))),
    CONSTRAINT user_settings_quiet CHECK (((quiet_from IS NULL) = (quiet_until IS NULL))),
    CONSTRAINT user_settings_quiet_mode CHECK (((quiet_mode = ANY (ARRAY['default'::text, 'own'::text, 'off'::text])) AND ((quiet_mode = 'off'::text) = (quiet_from IS NULL))))
);

COMMENT ON TABLE public.user_settings IS 'accounts: what a person has chosen';

COMMENT ON COLUMN public.user_settings.server_fetch IS 'whether the server may fetch pages whose text the browser could not read';

CREATE TABLE public.user_sync_state (
    user_id uuid NOT NULL,
    seq bigint DEFAULT 1 NOT NULL,
    floor bigint DEFAULT 0 NOT NULL,
    CONSTRAINT user_sync_state_order CHECK (((seq >= 1) AND ((floor >= 0) AND (floor <= seq))))
)
WITH (fillfactor='50');

COMMENT ON TABLE public.user_sync_state IS 'library: a person''s sync counter; every transaction that writes their library raises it first';

CREATE TABLE public.users (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    former_emails text[] DEFAULT '{}'::text[] NOT NULL,
    password_hash text,
    role text DEFAULT 'user'::text NOT NULL,
    verified_at timestamp with time zone,
    erasing_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_email CHECK (((email ~~ '_%@%_'::text) AND (email_key ~~ '_%@%_'::text))),
    CONSTRAINT users_role CHECK ((role = ANY (ARRAY['owner'::text, 'user'::text])))
);

COMMENT ON TABLE public.users IS 'accounts: people';

CREATE TABLE public.vapid_keys (
    id boolean DEFAULT true NOT NULL,
    public text NOT NULL,
    private text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT vapid_keys_one CHECK (id),
    CONSTRAINT vapid_keys_private CHECK ((private ~~ 'mh1.%'::text))
);

COMMENT ON TABLE public.vapid_keys IS 'delivery: by which push services know this installation; nobody''s';

CREATE TABLE public.write_checks (
    checked_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.write_checks IS 'db: one row, written to see whether the database takes writes';

ALTER TABLE ONLY public.alarms
    ADD CONSTRAINT alarms_pkey PRIMARY KEY (page_id);

ALTER TABLE ONLY public.blocked_domains
    ADD CONSTRAINT blocked_domains_pkey PRIMARY KEY (domain);

ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (device_hash);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_user_code_key UNIQUE (user_code);

ALTER TABLE ONLY public.crawl_alerts
    ADD CONSTRAINT crawl_alerts_pkey PRIMARY KEY (product_id, kind, day);

ALTER TABLE ONLY public.crawl_executions
    ADD CONSTRAINT crawl_executions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawl_preferences
    ADD CONSTRAINT crawl_preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.crawl_schedulers
    ADD CONSTRAINT crawl_schedulers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawl_schedulers
    ADD CONSTRAINT crawl_schedulers_url UNIQUE (user_id, url);

ALTER TABLE ONLY public.crawl_task_outbox
    ADD CONSTRAINT crawl_task_outbox_idempotency_key_key UNIQUE (idempotency_key);

ALTER TABLE ONLY public.crawl_task_outbox
    ADD CONSTRAINT crawl_task_outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawl_task_outbox
    ADD CONSTRAINT crawl_task_outbox_task_id_key UNIQUE (task_id);

ALTER TABLE ONLY public.crawl_tasks
    ADD CONSTRAINT crawl_tasks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawled_product_history
    ADD CONSTRAINT crawled_product_history_once UNIQUE (option_id, raw_id);

ALTER TABLE ONLY public.crawled_product_history
    ADD CONSTRAINT crawled_product_history_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawled_product_options
    ADD CONSTRAINT crawled_product_options_once UNIQUE (product_id, option_key);

ALTER TABLE ONLY public.crawled_product_options
    ADD CONSTRAINT crawled_product_options_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawled_products
    ADD CONSTRAINT crawled_products_once UNIQUE (user_id, site, item_key);

ALTER TABLE ONLY public.crawled_products
    ADD CONSTRAINT crawled_products_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crawled_raws
    ADD CONSTRAINT crawled_raws_once UNIQUE (task_id, type, item_key);

ALTER TABLE ONLY public.crawled_raws
    ADD CONSTRAINT crawled_raws_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.deleted_sessions
    ADD CONSTRAINT deleted_sessions_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_once UNIQUE (notice_id, channel_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY public.export_parts
    ADD CONSTRAINT export_parts_pkey PRIMARY KEY (export_id, number);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY public.fetch_redirects
    ADD CONSTRAINT fetch_redirects_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.fetch_waits
    ADD CONSTRAINT fetch_waits_pkey PRIMARY KEY (domain);

ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_user_id_id_key UNIQUE (user_id, id);

ALTER TABLE ONLY public.forgotten_ranges
    ADD CONSTRAINT forgotten_ranges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.highlight_notes
    ADD CONSTRAINT highlight_notes_pkey PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY public.highlights
    ADD CONSTRAINT highlights_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY public.import_failures
    ADD CONSTRAINT import_failures_pkey PRIMARY KEY (import_id, number);

ALTER TABLE ONLY public.import_jobs
    ADD CONSTRAINT import_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.import_parts
    ADD CONSTRAINT import_parts_pkey PRIMARY KEY (import_id, number);

ALTER TABLE ONLY public.insight_backfill
    ADD CONSTRAINT insight_backfill_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_stripe_invoice_id_key UNIQUE (stripe_invoice_id);

ALTER TABLE ONLY public.job_renewals
    ADD CONSTRAINT job_renewals_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.job_schedules
    ADD CONSTRAINT job_schedules_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.job_slots
    ADD CONSTRAINT job_slots_pkey PRIMARY KEY (domain, slot);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kept_mails
    ADD CONSTRAINT kept_mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.link_metadata
    ADD CONSTRAINT link_metadata_pkey PRIMARY KEY (url_id);

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.mindmap_edits
    ADD CONSTRAINT mindmap_edits_pkey PRIMARY KEY (session_id, number);

ALTER TABLE ONLY public.mindmap_graphs
    ADD CONSTRAINT mindmap_graphs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mindmap_graphs
    ADD CONSTRAINT mindmap_graphs_session_id_key UNIQUE (session_id);

ALTER TABLE ONLY public.model_answers
    ADD CONSTRAINT model_answers_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_key UNIQUE (user_id, key);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oidc_requests
    ADD CONSTRAINT oidc_requests_pkey PRIMARY KEY (state_hash);

ALTER TABLE ONLY public.page_contents
    ADD CONSTRAINT page_contents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.page_visits
    ADD CONSTRAINT page_visits_pkey PRIMARY KEY (session_id, opened_by_seq);

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_user_id_id_key UNIQUE (user_id, id);

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.processing_requests
    ADD CONSTRAINT processing_requests_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.provider_keys
    ADD CONSTRAINT provider_keys_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint);

ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.raw_events
    ADD CONSTRAINT raw_events_pkey PRIMARY KEY (month, session_id, seq);

ALTER TABLE ONLY public.reader_urls
    ADD CONSTRAINT reader_urls_pkey PRIMARY KEY (user_id, url_id);

ALTER TABLE ONLY public.recording_use
    ADD CONSTRAINT recording_use_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.reminder_preferences
    ADD CONSTRAINT reminder_preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.robots_cache
    ADD CONSTRAINT robots_cache_pkey PRIMARY KEY (origin);

ALTER TABLE ONLY public.saved_searches
    ADD CONSTRAINT saved_searches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.saved_searches
    ADD CONSTRAINT saved_searches_user_id_query_key UNIQUE (user_id, query);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.search_backfill
    ADD CONSTRAINT search_backfill_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.search_progress
    ADD CONSTRAINT search_progress_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.search_topics
    ADD CONSTRAINT search_topics_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.session_pauses
    ADD CONSTRAINT session_pauses_pkey PRIMARY KEY (session_id, entered_at);

ALTER TABLE ONLY public.session_reports
    ADD CONSTRAINT session_reports_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.session_topics
    ADD CONSTRAINT session_topics_pkey PRIMARY KEY (session_id, place);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_ups
    ADD CONSTRAINT sign_ups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.site_breakers
    ADD CONSTRAINT site_breakers_pkey PRIMARY KEY (domain);

ALTER TABLE ONLY public.stripe_customers
    ADD CONSTRAINT stripe_customers_customer_id_key UNIQUE (customer_id);

ALTER TABLE ONLY public.stripe_customers
    ADD CONSTRAINT stripe_customers_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.stripe_events
    ADD CONSTRAINT stripe_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_stripe_subscription_id_key UNIQUE (stripe_subscription_id);

ALTER TABLE ONLY public.sync_tombstones
    ADD CONSTRAINT sync_tombstones_pkey PRIMARY KEY (user_id, table_name, sync_id);

ALTER TABLE ONLY public.token_usage
    ADD CONSTRAINT token_usage_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.urls
    ADD CONSTRAINT urls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage_notices
    ADD CONSTRAINT usage_notices_pkey PRIMARY KEY (user_id, period_start, percent);

ALTER TABLE ONLY public.usage_totals
    ADD CONSTRAINT usage_totals_pkey PRIMARY KEY (user_id, period_start);

ALTER TABLE ONLY public.user_agent_health
    ADD CONSTRAINT user_agent_health_pkey PRIMARY KEY (domain, user_agent_id);

ALTER TABLE ONLY public.user_agents
    ADD CONSTRAINT user_agents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_agents
    ADD CONSTRAINT user_agents_user_agent_key UNIQUE (user_agent);

ALTER TABLE ONLY public.user_settings
    ADD CONSTRAINT user_settings_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.user_sync_state
    ADD CONSTRAINT user_sync_state_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key_key UNIQUE (email_key);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.vapid_keys
    ADD CONSTRAINT vapid_keys_pkey PRIMARY KEY (id);

CREATE INDEX alarms_due ON public.alarms USING btree (next_alarm_time, page_id) WHERE (status = 'active'::text);

CREATE INDEX alarms_failing ON public.alarms USING btree (user_id) WHERE (status = 'failing'::text);

CREATE INDEX alarms_of_user ON public.alarms USING btree (user_id, next_alarm_time, page_id);

CREATE INDEX channels_of_user ON public.channels USING btree (user_id, created_at, id);

CREATE UNIQUE INDEX channels_once ON public.channels USING btree (user_id, kind) WHERE (kind = ANY (ARRAY['webpush'::text, 'email'::text]));

CREATE INDEX connections_of_user ON public.connections USING btree (user_id);

CREATE INDEX crawl_alerts_of_user ON public.crawl_alerts USING btree (user_id);

CREATE INDEX crawl_executions_of_agent ON public.crawl_executions USING btree (user_agent_id) WHERE (user_agent_id IS NOT NULL);

CREATE INDEX crawl_executions_of_task ON public.crawl_executions USING btree (task_id, started_at);

CREATE INDEX crawl_executions_of_user ON public.crawl_executions USING btree (user_id);

CREATE INDEX crawl_schedulers_due ON public.crawl_schedulers USING btree (next_run_at, id) WHERE (status = 'ACTIVE'::text);

CREATE INDEX crawl_schedulers_of_user ON public.crawl_schedulers USING btree (user_id, created_at, id);

CREATE INDEX crawl_task_outbox_dead ON public.crawl_task_outbox USING btree (user_id, updated_at, id) WHERE (status = 'DEAD'::text);

CREATE INDEX crawl_task_outbox_due ON public.crawl_task_outbox USING btree (available_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'FAILED'::text]));

CREATE INDEX crawl_tasks_dead ON public.crawl_tasks USING btree (user_id, finished_at, id) WHERE (status = 'FAILED'::text);

CREATE INDEX crawl_tasks_first ON public.crawl_tasks USING btree (user_id, created_at, id) WHERE (parent_id IS NULL);

CREATE INDEX crawl_tasks_listed ON public.crawl_tasks USING btree (listed_at) WHERE (listed_at IS NOT NULL);

CREATE INDEX crawl_tasks_of_run ON public.crawl_tasks USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX crawl_tasks_of_scheduler ON public.crawl_tasks USING btree (scheduler_id, created_at, id);

CREATE INDEX crawl_tasks_of_user ON public.crawl_tasks USING btree (user_id, created_at, id);

CREATE INDEX crawl_tasks_old ON public.crawl_tasks USING btree (finished_at) WHERE (finished_at IS NOT NULL);

CREATE UNIQUE INDEX crawl_tasks_once ON public.crawl_tasks USING btree (scheduler_id, type, item_key) WHERE (finished_at IS NULL);

CREATE INDEX crawl_tasks_under_way ON public.crawl_tasks USING btree (updated_at) WHERE (status = ANY (ARRAY['PUBLISHED'::text, 'RUNNING'::text]));

CREATE INDEX crawled_product_history_of_product ON public.crawled_product_history USING btree (product_id, at);

CREATE INDEX crawled_product_history_of_user ON public.crawled_product_history USING btree (user_id);

CREATE INDEX crawled_product_options_of_user ON public.crawled_product_options USING btree (user_id);

CREATE INDEX crawled_products_of_scheduler ON public.crawled_products USING btree (scheduler_id, created_at, id);

CREATE INDEX crawled_products_of_user ON public.crawled_products USING btree (user_id, created_at, id);

CREATE INDEX crawled_raws_dead ON public.crawled_raws USING btree (user_id, updated_at, id) WHERE (status = 'DEAD'::text);

CREATE INDEX crawled_raws_of_scheduler ON public.crawled_raws USING btree (scheduler_id);

CREATE INDEX crawled_raws_pending ON public.crawled_raws USING btree (user_id, site, item_key) WHERE (status = ANY (ARRAY['PENDING'::text, 'FAILED'::text]));

CREATE INDEX crawled_raws_waiting ON public.crawled_raws USING btree (available_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'FAILED'::text]));

CREATE INDEX deliveries_of_channel ON public.deliveries USING btree (channel_id);

CREATE INDEX deliveries_of_digest ON public.deliveries USING btree (digest_id) WHERE (digest_id IS NOT NULL);

CREATE INDEX deliveries_of_user ON public.deliveries USING btree (user_id);

CREATE INDEX devices_of_user ON public.devices USING btree (user_id, created_at);

CREATE INDEX exports_by_expiry ON public.exports USING btree (expires_at);

CREATE INDEX fetch_waits_over ON public.fetch_waits USING btree (until);

CREATE INDEX folders_changed ON public.folders USING btree (user_id, seq);

CREATE INDEX folders_in_order ON public.folders USING btree (user_id, parent_id, "position", id);

CREATE UNIQUE INDEX folders_sync_id ON public.folders USING btree (user_id, sync_id) WHERE (sync_id IS NOT NULL);

CREATE INDEX forgotten_ranges_by_user ON public.forgotten_ranges USING btree (user_id);

CREATE INDEX highlights_by_session ON public.highlights USING btree (session_id, seq);

CREATE UNIQUE INDEX identities_of_user ON public.identities USING btree (user_id, issuer);

CREATE INDEX import_jobs_by_user ON public.import_jobs USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX import_jobs_folder ON public.import_jobs USING btree (folder_id);

CREATE INDEX invoices_of_subscription ON public.invoices USING btree (subscription_id);

CREATE INDEX invoices_of_user ON public.invoices USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX job_slots_job ON public.job_slots USING btree (job_id);

CREATE INDEX jobs_dead ON public.jobs USING btree (id) WHERE (status = 'dead'::text);

CREATE UNIQUE INDEX jobs_once ON public.jobs USING btree (kind, key) WHERE ((key IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));

CREATE INDEX jobs_ready ON public.jobs USING btree (queue, lane, run_after, id) WHERE ((status = 'queued'::text) AND (domain IS NULL));

CREATE INDEX jobs_ready_by_domain ON public.jobs USING btree (queue, lane, domain, run_after, id) WHERE ((status = 'queued'::text) AND (domain IS NOT NULL));

CREATE INDEX jobs_rescued ON public.jobs USING btree (rescued_lease) WHERE (rescued_lease IS NOT NULL);

CREATE INDEX jobs_running ON public.jobs USING btree (id) WHERE (status = 'running'::text);

CREATE UNIQUE INDEX kept_mails_once ON public.kept_mails USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX link_metadata_dead ON public.link_metadata USING btree (url_id) WHERE (state = 'dead'::text);

CREATE INDEX links_of_user ON public.links USING btree (user_id);

CREATE INDEX mindmap_graphs_of_user ON public.mindmap_graphs USING btree (user_id);

CREATE INDEX model_answers_of_user ON public.model_answers USING btree (user_id);

CREATE INDEX model_answers_old ON public.model_answers USING btree (at);

CREATE INDEX notices_of_page ON public.notices USING btree (user_id, page_id) WHERE (page_id IS NOT NULL);

CREATE INDEX notices_of_user ON public.notices USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX notices_read ON public.notices USING btree (read_at) WHERE (read_at IS NOT NULL);

CREATE INDEX notices_unread ON public.notices USING btree (user_id) WHERE (read_at IS NULL);

CREATE INDEX page_contents_by_icon ON public.page_contents USING btree (user_id, icon) WHERE (icon IS NOT NULL);

CREATE INDEX page_contents_by_reader ON public.page_contents USING btree (user_id);

CREATE INDEX page_visits_seen ON public.page_visits USING btree (session_id, url_id) WHERE is_focused;

CREATE INDEX pages_changed ON public.pages USING btree (user_id, seq);

CREATE INDEX pages_in_order ON public.pages USING btree (user_id, folder_id, "position", id);

CREATE INDEX pages_not_links ON public.pages USING btree (user_id, folder_id) WHERE (kind <> 'link'::text);

CREATE INDEX pages_of_url ON public.pages USING btree (url_id, user_id);

CREATE UNIQUE INDEX pages_sync_id ON public.pages USING btree (user_id, sync_id) WHERE (sync_id IS NOT NULL);

CREATE INDEX processing_requests_of_user ON public.processing_requests USING btree (user_id);

CREATE INDEX push_subscriptions_of_device ON public.push_subscriptions USING btree (device_id) WHERE (device_id IS NOT NULL);

CREATE INDEX push_subscriptions_of_user ON public.push_subscriptions USING btree (user_id, created_at, id);

CREATE INDEX rate_limits_whole ON public.rate_limits USING btree (whole_at);

CREATE INDEX reader_urls_by_url ON public.reader_urls USING btree (url_id);

CREATE INDEX reminder_preferences_folder ON public.reminder_preferences USING btree (folder_id) WHERE (folder_id IS NOT NULL);

CREATE INDEX robots_cache_expired ON public.robots_cache USING btree (expires_at);

CREATE INDEX search_docs_lexemes ON public.search_docs USING gin (lexemes) WITH (gin_pending_list_limit='512');

CREATE INDEX search_docs_of_content ON public.search_docs USING btree (content_id, at DESC) WHERE (content_id IS NOT NULL);

CREATE INDEX search_docs_of_page ON public.search_docs USING btree (page_id) WHERE (page_id IS NOT NULL);

CREATE INDEX search_docs_of_session ON public.search_docs USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX search_docs_of_text ON public.search_docs USING btree (text_id) WHERE (text_id IS NOT NULL);

CREATE INDEX security_events_by_time ON public.security_events USING btree (at);

CREATE INDEX security_events_of_user ON public.security_events USING btree (user_id, id);

CREATE INDEX session_reports_of_user ON public.session_reports USING btree (user_id);

CREATE INDEX sessions_by_start ON public.sessions USING btree (user_id, started_at DESC, id DESC);

CREATE INDEX sessions_expiring ON public.sessions USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX sessions_recording ON public.sessions USING btree (id) WHERE (status = ANY (ARRAY['recording'::text, 'processing'::text]));

CREATE INDEX sessions_stale ON public.sessions USING btree (id) WHERE is_stale;

CREATE INDEX sessions_with_holes ON public.sessions USING btree (id) WHERE (hole_since IS NOT NULL);

CREATE INDEX stripe_events_old ON public.stripe_events USING btree (received_at);

CREATE INDEX stripe_events_open ON public.stripe_events USING btree (customer_id) WHERE (customer_id IS NOT NULL);

CREATE UNIQUE INDEX subscriptions_live ON public.subscriptions USING btree (user_id) WHERE (status = ANY (ARRAY['active'::text, 'trialing'::text, 'past_due'::text]));

CREATE INDEX subscriptions_of_user ON public.subscriptions USING btree (user_id, created_at);

CREATE INDEX sync_tombstones_changed ON public.sync_tombstones USING btree (user_id, seq);

CREATE INDEX sync_tombstones_old ON public.sync_tombstones USING btree (deleted_at);

CREATE INDEX token_usage_by_day ON public.token_usage USING btree (user_id, created_at);

CREATE INDEX token_usage_held ON public.token_usage USING btree (held_until) WHERE (held_until IS NOT NULL);

CREATE INDEX token_usage_of_session ON public.token_usage USING btree (user_id, session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX token_usage_of_user ON public.token_usage USING btree (user_id, period_start);

CREATE UNIQUE INDEX token_usage_requests ON public.token_usage USING btree (provider, request_id) WHERE (request_id IS NOT NULL);

CREATE INDEX tokens_expiring ON public.tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX tokens_of_device ON public.tokens USING btree (device_id);

CREATE INDEX tokens_of_user ON public.tokens USING btree (user_id);

CREATE UNIQUE INDEX users_one_owner ON public.users USING btree (role) WHERE (role = 'owner'::text);

ALTER TABLE ONLY public.alarms
    ADD CONSTRAINT alarms_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.alarms
    ADD CONSTRAINT alarms_user_id_page_id_fkey FOREIGN KEY (user_id, page_id) REFERENCES public.pages(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_alerts
    ADD CONSTRAINT crawl_alerts_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.crawled_products(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_alerts
    ADD CONSTRAINT crawl_alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_executions
    ADD CONSTRAINT crawl_executions_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.crawl_tasks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_executions
    ADD CONSTRAINT crawl_executions_user_agent_id_fkey FOREIGN KEY (user_agent_id) REFERENCES public.user_agents(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.crawl_executions
    ADD CONSTRAINT crawl_executions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_preferences
    ADD CONSTRAINT crawl_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_schedulers
    ADD CONSTRAINT crawl_schedulers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_task_outbox
    ADD CONSTRAINT crawl_task_outbox_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.crawl_tasks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_task_outbox
    ADD CONSTRAINT crawl_task_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_tasks
    ADD CONSTRAINT crawl_tasks_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.crawl_tasks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_tasks
    ADD CONSTRAINT crawl_tasks_scheduler_id_fkey FOREIGN KEY (scheduler_id) REFERENCES public.crawl_schedulers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_tasks
    ADD CONSTRAINT crawl_tasks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_product_history
    ADD CONSTRAINT crawled_product_history_option_id_fkey FOREIGN KEY (option_id) REFERENCES public.crawled_product_options(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_product_history
    ADD CONSTRAINT crawled_product_history_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.crawled_products(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_product_history
    ADD CONSTRAINT crawled_product_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_product_options
    ADD CONSTRAINT crawled_product_options_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.crawled_products(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_product_options
    ADD CONSTRAINT crawled_product_options_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_products
    ADD CONSTRAINT crawled_products_scheduler_id_fkey FOREIGN KEY (scheduler_id) REFERENCES public.crawl_schedulers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_products
    ADD CONSTRAINT crawled_products_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_raws
    ADD CONSTRAINT crawled_raws_scheduler_id_fkey FOREIGN KEY (scheduler_id) REFERENCES public.crawl_schedulers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_raws
    ADD CONSTRAINT crawled_raws_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.crawl_tasks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawled_raws
    ADD CONSTRAINT crawled_raws_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deleted_sessions
    ADD CONSTRAINT deleted_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES public.notices(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.export_parts
    ADD CONSTRAINT export_parts_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.fetch_redirects
    ADD CONSTRAINT fetch_redirects_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_user_id_parent_id_fkey FOREIGN KEY (user_id, parent_id) REFERENCES public.folders(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.forgotten_ranges
    ADD CONSTRAINT forgotten_ranges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.highlight_notes
    ADD CONSTRAINT highlight_notes_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.import_failures
    ADD CONSTRAINT import_failures_import_id_fkey FOREIGN KEY (import_id) REFERENCES public.import_jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.import_jobs
    ADD CONSTRAINT import_jobs_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES public.folders(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.import_jobs
    ADD CONSTRAINT import_jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.import_parts
    ADD CONSTRAINT import_parts_import_id_fkey FOREIGN KEY (import_id) REFERENCES public.import_jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.link_metadata
    ADD CONSTRAINT link_metadata_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES public.sign_ups(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mindmap_edits
    ADD CONSTRAINT mindmap_edits_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mindmap_graphs
    ADD CONSTRAINT mindmap_graphs_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mindmap_graphs
    ADD CONSTRAINT mindmap_graphs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.model_answers
    ADD CONSTRAINT model_answers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls(id);

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_user_id_folder_id_fkey FOREIGN KEY (user_id, folder_id) REFERENCES public.folders(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.processing_requests
    ADD CONSTRAINT processing_requests_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.processing_requests
    ADD CONSTRAINT processing_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.provider_keys
    ADD CONSTRAINT provider_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.recording_use
    ADD CONSTRAINT recording_use_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reminder_preferences
    ADD CONSTRAINT reminder_preferences_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES public.folders(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.reminder_preferences
    ADD CONSTRAINT reminder_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saved_searches
    ADD CONSTRAINT saved_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_page_id_fkey FOREIGN KEY (page_id) REFERENCES public.pages(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_text_id_fkey FOREIGN KEY (text_id) REFERENCES public.page_contents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.search_progress
    ADD CONSTRAINT search_progress_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.search_topics
    ADD CONSTRAINT search_topics_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session_reports
    ADD CONSTRAINT session_reports_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session_reports
    ADD CONSTRAINT session_reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session_topics
    ADD CONSTRAINT session_topics_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stripe_customers
    ADD CONSTRAINT stripe_customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stripe_events
    ADD CONSTRAINT stripe_events_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.stripe_customers(customer_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sync_tombstones
    ADD CONSTRAINT sync_tombstones_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.token_usage
    ADD CONSTRAINT token_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_notices
    ADD CONSTRAINT usage_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_totals
    ADD CONSTRAINT usage_totals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_agent_health
    ADD CONSTRAINT user_agent_health_user_agent_id_fkey FOREIGN KEY (user_agent_id) REFERENCES public.user_agents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_settings
    ADD CONSTRAINT user_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_sync_state
    ADD CONSTRAINT user_sync_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
