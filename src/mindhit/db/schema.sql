-- What the migrations add up to. Made by `make openapi`; not for editing.

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

CREATE TABLE public.deleted_sessions (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.deleted_sessions IS 'tracking: ids that a browser may still send events for';

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

CREATE TABLE public.erasures (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.erasures IS 'accounts: people who are being forgotten';

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
    CONSTRAINT page_visits_time CHECK (((left_at > entered_at) AND (duration_ms > 0)))
);

COMMENT ON TABLE public.page_visits IS 'tracking: stays of a page in the foreground';

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
    payload jsonb
)
PARTITION BY RANGE (month);

COMMENT ON TABLE public.raw_events IS 'tracking: the log, as it came; partitioned by the month of the session''s start';

CREATE TABLE public.reader_urls (
    user_id uuid NOT NULL,
    url_id uuid NOT NULL,
    content_id uuid,
    content_status text,
    session_id uuid,
    read_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT reader_urls_content CHECK ((COALESCE((content_status = ANY (ARRAY['extracted'::text, 'crawled'::text])), false) = (content_id IS NOT NULL))),
    CONSTRAINT reader_urls_status CHECK ((content_status = ANY (ARRAY['pending'::text, 'extracted'::text, 'crawled'::text, 'failed'::text])))
);

COMMENT ON TABLE public.reader_urls IS 'tracking: pages a reader has met, and the newest text of each';

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    took_ms integer NOT NULL
);

COMMENT ON TABLE public.schema_migrations IS 'db: which migrations were applied, with their checksums';

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
    CONSTRAINT sessions_log CHECK (((next_seq >= 1) AND (max_seq >= (next_seq - 1)))),
    CONSTRAINT sessions_month CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT sessions_status CHECK ((status = ANY (ARRAY['recording'::text, 'processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT sessions_stopped CHECK (((status = 'recording'::text) = (stopped_at IS NULL)))
)
WITH (fillfactor='80');
ALTER TABLE ONLY public.sessions ALTER COLUMN fold_state SET STORAGE EXTERNAL;

COMMENT ON TABLE public.sessions IS 'tracking: one recording, from start to stop';

CREATE TABLE public.sign_ups (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    language text NOT NULL,
    timezone text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE public.sign_ups IS 'accounts: people who asked for an account and have not opened the link';

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

CREATE TABLE public.user_settings (
    user_id uuid NOT NULL,
    email_notification boolean DEFAULT true NOT NULL,
    excluded_domains text[] DEFAULT '{}'::text[] NOT NULL,
    timezone text,
    language text DEFAULT 'en'::text NOT NULL,
    quiet_from time without time zone,
    quiet_until time without time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_settings_domains CHECK ((cardinality(excluded_domains) <= 1000)),
    CONSTRAINT user_settings_language CHECK ((language = ANY (ARRAY['en'::text, 'ko'::text]))),
    CONSTRAINT user_settings_quiet CHECK (((quiet_from IS NULL) = (quiet_until IS NULL)))
);

COMMENT ON TABLE public.user_settings IS 'accounts: what a person has chosen';

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

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (device_hash);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_user_code_key UNIQUE (user_code);

ALTER TABLE ONLY public.deleted_sessions
    ADD CONSTRAINT deleted_sessions_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY public.highlights
    ADD CONSTRAINT highlights_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject);

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

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.oidc_requests
    ADD CONSTRAINT oidc_requests_pkey PRIMARY KEY (state_hash);

ALTER TABLE ONLY public.page_contents
    ADD CONSTRAINT page_contents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.page_visits
    ADD CONSTRAINT page_visits_pkey PRIMARY KEY (session_id, opened_by_seq);

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.raw_events
    ADD CONSTRAINT raw_events_pkey PRIMARY KEY (month, session_id, seq);

ALTER TABLE ONLY public.reader_urls
    ADD CONSTRAINT reader_urls_pkey PRIMARY KEY (user_id, url_id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.session_pauses
    ADD CONSTRAINT session_pauses_pkey PRIMARY KEY (session_id, entered_at);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_ups
    ADD CONSTRAINT sign_ups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.urls
    ADD CONSTRAINT urls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_settings
    ADD CONSTRAINT user_settings_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key_key UNIQUE (email_key);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX connections_of_user ON public.connections USING btree (user_id);

CREATE INDEX devices_of_user ON public.devices USING btree (user_id, created_at);

CREATE INDEX highlights_by_session ON public.highlights USING btree (session_id, seq);

CREATE UNIQUE INDEX identities_of_user ON public.identities USING btree (user_id, issuer);

CREATE INDEX job_slots_job ON public.job_slots USING btree (job_id);

CREATE INDEX jobs_dead ON public.jobs USING btree (id) WHERE (status = 'dead'::text);

CREATE UNIQUE INDEX jobs_once ON public.jobs USING btree (kind, key) WHERE ((key IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));

CREATE INDEX jobs_ready ON public.jobs USING btree (queue, lane, run_after, id) WHERE ((status = 'queued'::text) AND (domain IS NULL));

CREATE INDEX jobs_ready_by_domain ON public.jobs USING btree (queue, lane, domain, run_after, id) WHERE ((status = 'queued'::text) AND (domain IS NOT NULL));

CREATE INDEX jobs_running ON public.jobs USING btree (id) WHERE (status = 'running'::text);

CREATE UNIQUE INDEX kept_mails_once ON public.kept_mails USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX links_of_user ON public.links USING btree (user_id);

CREATE INDEX page_contents_by_icon ON public.page_contents USING btree (user_id, icon) WHERE (icon IS NOT NULL);

CREATE INDEX page_contents_by_reader ON public.page_contents USING btree (user_id);

CREATE INDEX page_visits_seen ON public.page_visits USING btree (session_id, url_id) WHERE is_focused;

CREATE INDEX rate_limits_whole ON public.rate_limits USING btree (whole_at);

CREATE INDEX reader_urls_by_url ON public.reader_urls USING btree (url_id);

CREATE INDEX security_events_by_time ON public.security_events USING btree (at);

CREATE INDEX security_events_of_user ON public.security_events USING btree (user_id, id);

CREATE INDEX sessions_by_start ON public.sessions USING btree (user_id, started_at DESC, id DESC);

CREATE INDEX sessions_recording ON public.sessions USING btree (id) WHERE (status = ANY (ARRAY['recording'::text, 'processing'::text]));

CREATE INDEX sessions_stale ON public.sessions USING btree (id) WHERE is_stale;

CREATE INDEX sessions_with_holes ON public.sessions USING btree (id) WHERE (hole_since IS NOT NULL);

CREATE INDEX tokens_expiring ON public.tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX tokens_of_device ON public.tokens USING btree (device_id);

CREATE INDEX tokens_of_user ON public.tokens USING btree (user_id);

CREATE UNIQUE INDEX users_one_owner ON public.users USING btree (role) WHERE (role = 'owner'::text);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deleted_sessions
    ADD CONSTRAINT deleted_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES public.sign_ups(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_settings
    ADD CONSTRAINT user_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
