-- why:   sites' icons are shown: a page brings its own along in page_contents.favicon, and it is asked for by name
-- locks: page_contents, exclusively, while it is rewritten
-- takes: milliseconds for thousands of texts, seconds for a million
-- when:  before the code

alter table page_contents
  add column icon text generated always as (case when favicon like 'data:%' then md5(favicon) end) stored;
comment on column page_contents.icon is 'the name of an icon that the page brought along; null where favicon is an address of the web';
create index page_contents_by_icon on page_contents (user_id, icon) where icon is not null;
