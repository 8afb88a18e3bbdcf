"""Tracking parameters: they say how somebody reached a page, and nothing about the page.

A name is listed only if dropping it cannot change what is shown. Names that some shop uses for
something else (`ref`, `source`, `campaign`, `id`, `tag`) are not listed; names that mean tracking on
one site only are listed for that site and its subdomains. Names are in lower case: here, and only here,
parameters are compared case-insensitively.
"""

from functools import lru_cache

# Prefixes: every name that starts with one is dropped.
FAMILIES = (
    "utm_",  # Urchin, then Google Analytics, then everybody
    "hsa_",  # HubSpot ads
    "mtm_",  # Matomo
    "matomo_",
    "piwik_",  # Matomo under its former name
    "pd_rd_",  # Amazon, which recommendation was clicked
    "pf_rd_",  # Amazon, which part of the page was clicked
)


def _names(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


_EVERYWHERE = _names(
    "gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid",  # Google Ads, Merchant
    "_ga _gl ga_source ga_medium ga_term ga_content ga_campaign ga_place",  # Google Analytics
    "fbclid fb_action_ids fb_action_types fb_ref fb_source mibextid",  # Facebook
    "igshid igsh",  # Instagram
    "msclkid",  # Microsoft Advertising
    "yclid ymclid ysclid _openstat",  # Yandex
    "napm nacn",  # Naver shopping and the advertising centre
    "n_media n_query n_rank n_match n_network n_campaign_type",  # Naver search ads: the slot
    "n_ad n_ad_group n_ad_group_type n_keyword n_keyword_id",  # Naver search ads: the ad
    "dmkw dmskw dmcol",  # Daum search ads
    "twclid",  # X
    "ttclid",  # TikTok
    "sccid",  # Snapchat
    "epik",  # Pinterest
    "li_fat_id",  # LinkedIn
    "rdt_cid",  # Reddit
    "tblci",  # Taboola
    "dicbo obclid",  # Outbrain
    "irclickid irgwc",  # Impact
    "awc",  # Awin
    "cjevent",  # Commission Junction
    "sscid",  # ShareASale
    "ranmid raneaid ransiteid",  # Rakuten
    "mc_cid mc_eid",  # Mailchimp
    "_hsenc _hsmi __hstc __hssc __hsfp hsctatracking",  # HubSpot mail
    "mkt_tok",  # Marketo
    "_kx",  # Klaviyo
    "__s",  # Drip
    "vero_id vero_conv",  # Vero
    "oly_anon_id oly_enc_id",  # Omeda
    "_bta_tid _bta_c",  # Bronto
    "dm_i",  # Dotdigital
    "trk_contact trk_msg trk_module trk_sid",  # Listrak
    "s_cid s_kwcid ef_id adobe_mc",  # Adobe
    "pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid",  # Piwik
    "itm_source itm_medium itm_campaign itm_content itm_term",  # a site's own banners, after utm_
    "_branch_match_id _branch_referrer",  # Branch
    "wickedid",  # Wicked Reports
    "xtor",  # AT Internet
    "wt_mc wt_zmc",  # Webtrekk
)

_GOOGLE = _names(
    "aqs bih biw dpr ei gs_lcp gs_lcrp gs_lp gs_ssp iflsig oq",
    "rlz sca_esv sca_upv sclient sourceid sxsrf uact ved",
)
_YOUTUBE = _names("ab_channel embeds_referring_euri feature pp si source_ve_path")
_X = _names("ref_src ref_url s t")
_ALIBABA = _names("algo_expid algo_pvid pvid scm spm")

_ON_SITE = {
    "1688.com": _ALIBABA,
    "alibaba.com": _ALIBABA,
    "aliexpress.com": _ALIBABA,
    "bilibili.com": _names("from_spmid spm_id_from vd_source"),
    "bing.com": _names("cvid form pq qs sc sk sp"),
    "coupang.com": _names("lptag traceid wpcid wref wtime"),
    "google.co.kr": _GOOGLE,
    "google.com": _GOOGLE,
    "linkedin.com": _names("lipi refid trackingid trk"),
    "open.spotify.com": _names("si"),
    "search.naver.com": _names("ackey acq acr fbm oquery qdt sm tqi"),
    "taobao.com": _ALIBABA,
    "tiktok.com": _names("_r _t is_from_webapp sender_device sender_web_id"),
    "tmall.com": _ALIBABA,
    "twitter.com": _X,
    "x.com": _X,
    "youtu.be": _YOUTUBE,
    "youtube.com": _YOUTUBE,
}


@lru_cache(maxsize=4096)
def trackers_on(domain: str) -> frozenset[str]:
    """The names that are tracking on `domain`: those of all sites, its own and its parents'.

    Cached by domain and not by parameter: a host has at most 253 characters, a name has no limit.
    """
    labels = domain.split(".")
    sites = (".".join(labels[start:]) for start in range(len(labels)))
    own = [_ON_SITE[site] for site in sites if site in _ON_SITE]
    return _EVERYWHERE.union(*own) if own else _EVERYWHERE
