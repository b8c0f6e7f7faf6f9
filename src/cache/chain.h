// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiers in order, nearest first, and the rule that makes each compilation happen once: a hit in a farther tier is
// put into all nearer ones; a miss everywhere is made by the first who asks, while everybody else who asks for the same
// key waits for that one (single flight). A failure is given to all who waited and is not kept.
#pragma once

#include "cache/tier.h"
#include "support/result.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kiln::cache {

class Chain {
public:
  struct Found {
    EntryPtr entry;
    std::string tier; // name of the tier that had it; "" if it was made now
  };
  using Make = std::function<Result<Entry>()>;

  void append(std::unique_ptr<Tier> tier) { tiers_.push_back(std::move(tier)); } // before the first use
  [[nodiscard]] Result<Found> get_or_make(const Key& key, const Make& make);

private:
  struct Flight {
    std::optional<Result<Found>> outcome; // set once, then `landed_` is notified
  };
  [[nodiscard]] Result<Found> look_up_or_make(const Key& key, const Make& make);

  std::vector<std::unique_ptr<Tier>> tiers_;
  std::mutex mutex_; // guards flights_ and the outcomes
  std::condition_variable landed_;
  std::unordered_map<Key, std::shared_ptr<Flight>> flights_;
};

} // namespace kiln::cache
